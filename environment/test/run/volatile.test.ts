import os from 'node:os'
import { normalizeTranscript } from 'jest-serializer-acp'
import { run } from './support.ts'

test("the host's temp directory and random parts of names in it become tokens", async () => {
  const { transcript } = await run({ agent: 'echo' })
  const text = `${os.tmpdir()}/shot_9e94b313-fd99-4c90-9066-757ba290d833.jpg`
  expect(normalizeTranscript([JSON.stringify({ text })], transcript.volatile)).toEqual([
    '{"text":"{{hostTmp}}/shot_{{tempName}}.jpg"}',
  ])
})
