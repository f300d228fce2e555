// Puts staged files in place. A process of its own, in its own group: whoever ordered the write may be killed meanwhile.
const fs = require('node:fs')
const path = require('node:path')

const [staging = '', dir = '', ...removed] = process.argv.slice(2)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
for (const name of fs.readdirSync(staging)) fs.renameSync(path.join(staging, name), path.join(dir, name))
for (const name of removed) fs.rmSync(path.join(dir, name), { force: true })
fs.rmSync(staging, { recursive: true, force: true })
