// In reaper.test.ts: guards a directory, lets it go, and has nothing left to do. Says what was open before, while it
// guarded, and after. When it was forked, as a worker of Jest is, its IPC channel is open, and must not keep it.
import { writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardDir } from '../../src/child/reaper.ts'

const before = process.getActiveResourcesInfo()
const release = guardDir(join(tmpdir(), 'acp-never-made'))
const held = process.getActiveResourcesInfo()
release()
const released = process.getActiveResourcesInfo()
writeSync(1, JSON.stringify({ before, held, released }))
