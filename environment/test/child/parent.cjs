// Stands for Jest, in reaper.test.ts: forks host.ts with an IPC channel, as jest-worker does, and waits to be killed.
const childProcess = require('node:child_process')

const [file = '', ...execArgv] = process.argv.slice(2)
childProcess.fork(file, { execArgv, stdio: 'inherit' })
