// The last line of defence: it outlives the process that started it, even after SIGKILL, and cleans up.
// Each line of stdin is a JSON array, ["add" | "delete", "group" | "dir", value]; its end means that the owner is gone.
const sweep = require('./sweep.cjs')

const held = { group: new Set(), dir: new Set() }
let rest = ''

// It is needed most when everything else is asked to stop, as by Ctrl-C.
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

/** One failure must not stop the rest of the cleanup. @param {() => void} action */
function attempt(action) {
  try {
    action()
  } catch {
    // No process is left that could receive a report.
  }
}
