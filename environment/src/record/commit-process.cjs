// Stages files, and puts them in place. A process of its own, in its own group: whoever ordered the write may be killed
// meanwhile. stdin holds [name, text] of each file, as JSON; a file whose text is null is removed.
const fs = require('node:fs')
const path = require('node:path')

const [staging = '', dir = ''] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

/** Does not parse when it was cut. @type {[string, string | null][]} */
const files = JSON.parse(fs.readFileSync(0, 'utf8'))
/** What was there before, of the files that are changed. @type {Map<string, Buffer | undefined>} */
const before = new Map()
try {
  fs.mkdirSync(staging)
  for (const [name, text] of files) if (text !== null) fs.writeFileSync(path.join(staging, name), text)
  for (const [name, text] of files) {
    if (text === null) change(name, (file) => fs.rmSync(file, { force: true }))
    else change(name, (file) => fs.renameSync(path.join(staging, name), file))
  }
} catch (error) {
  for (const [name, content] of before) restore(name, content)
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
fs.rmSync(staging, { recursive: true, force: true })

/**
 * @param {string} name
 * @param {(file: string) => void} how
 */
function change(name, how) {
  const file = path.join(dir, name)
  const content = fs.existsSync(file) ? fs.readFileSync(file) : undefined
  how(file)
  before.set(name, content)
}

/** @param {string} name @param {Buffer | undefined} content */
function restore(name, content) {
  if (content === undefined) fs.rmSync(path.join(dir, name), { force: true })
  else fs.writeFileSync(path.join(dir, name), content)
}
