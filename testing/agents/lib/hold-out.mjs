// Lives until SIGKILL: ignores every polite signal, and a broken pipe.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
setInterval(() => {}, 60_000)
