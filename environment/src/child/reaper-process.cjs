// The last line of defence: outlives the process that started it, even by SIGKILL, and clears up after it.
// stdin holds one JSON array a line, ["add" | "delete", "group" | "dir", value]; its end means that the owner is gone.
const sweep = require('./sweep.cjs')

const held = { group: new Set(), dir: new Set() }
let rest = ''

// A Ctrl-C, or a polite end of everything, is when it is needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

process.stdin.setEncoding('utf8')
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) obey(line)
})
process.stdin.on('error', clearUp)
process.stdin.on('end', clearUp)

/** @param {string} line */
function obey(line) {
  const [op, kind, value] = JSON.parse(line)
  const set = kind === 'group' ? held.group : held.dir
  if (op === 'add') set.add(value)
  else set.delete(value)
}

function clearUp() {
  for (const pid of held.group) attempt(() => sweep.signalGroup(pid, 'SIGKILL'))
  for (const dir of held.dir) attempt(() => sweep.sweepDir(dir))
  process.exit()
}

/** One failure must not save the rest. @param {() => void} action */
function attempt(action) {
  try {
    action()
  } catch {
    // No process is left to report to.
  }
}
