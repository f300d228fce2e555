// Lives until SIGKILL: ignores the other signals, and broken pipes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
setInterval(() => {}, 60_000)
