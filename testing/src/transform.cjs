const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')

/** Shared by all projects that the tests make, and by all runs of the tests. */
const CACHE = path.join(__dirname, '..', '..', 'node_modules', '.cache', 'acp-snapshot-tests')

/** What a compiled text depends on, besides the source. */
const COMPILER = `${require('esbuild/package.json').version}\n${fs.readFileSync(__filename, 'utf8')}`

/**
 * Compiles our sources for the Jest projects that the tests make. Each of these has a cold cache of its own, so ts-jest
 * would compile the same sources again and again: 5 seconds a project. Some tests in `e2e/` use the transform that a
 * user has.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
module.exports = {
  process: (source, file) => {
    // Not the whole path: copies of this project share the results.
    const name = path.basename(file)
    const cached = path.join(
      CACHE,
      crypto.createHash('sha256').update([COMPILER, name, source].join('\0')).digest('hex'),
    )
    return { code: read(cached) ?? write(cached, compile(source, name)) }
  },
}

/**
 * @param {string} source
 * @param {string} name
 */
function compile(source, name) {
  /** @type {import('esbuild').TransformOptions} */
  const options = { loader: 'ts', format: 'cjs', target: 'node20', sourcemap: 'inline', sourcefile: name }
  return require('esbuild').transformSync(source, options).code
}

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Several processes may write the same file at once.
 *
 * @param {string} file
 * @param {string} code
 */
function write(file, code) {
  const temp = `${file}.${crypto.randomUUID()}`
  fs.mkdirSync(CACHE, { recursive: true })
  fs.writeFileSync(temp, code)
  fs.renameSync(temp, file)
  return code
}
