import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { sendPlan } from '../src/send.ts'

const server = createServer()

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

test('waits for a slow reader, and ends when the reader leaves', async () => {
  const packet = new Uint8Array(1024 * 1024)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const client = get({ host: '127.0.0.1', port })
  const response = await new Promise<ServerResponse>((resolve) => server.once('request', (_, own) => resolve(own)))
  const plan = { end: 'close' as const, status: 200, contentType: 'text/plain', packets: Array(64).fill(packet) }

  const sent = sendPlan(plan, response, () => 0)
  await new Promise<void>((resolve) => client.once('response', (own) => resolve(void own.pause())))
  while (!response.writableNeedDrain && !response.writableEnded) await setImmediate()
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  expect(response.writableLength).toBeLessThan(4 * packet.length)

  client.destroy()
  await sent
  expect(response.writableEnded).toBe(false)
})
