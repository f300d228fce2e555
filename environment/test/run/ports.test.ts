import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { freePorts } from '../../src/run/ports.ts'

let servers: Server[] = []

afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

/** Listens on a port, unless something else does. */
async function take(port: number): Promise<void> {
  const server = createServer()
  server.listen({ port, host: '127.0.0.1' })
  await once(server, 'listening').then(
    () => servers.push(server),
    () => undefined,
  )
}

test('ports that are taken are not given out, and too few are an error', async () => {
  const all = new Set(await freePorts(200))
  expect(all.size).toBe(200)
  const [one = 0, two = 0] = all
  // All ports of this process: the numbers around those found.
  const first = Math.min(...all) - 56
  for (let port = first; port < first + 312; port++) if (port !== one && port !== two) await take(port)
  expect(new Set(await freePorts(2))).toEqual(new Set([one, two]))
  await expect(freePorts(3)).rejects.toThrow(/^found only 2 free ports from \d+ up; 3 are needed$/)
})
