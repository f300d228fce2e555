import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { type Places, placesIn } from '../places.ts'

/** Below the ports that any system gives out by itself, so that nobody takes one before the agent does. */
const FIRST = 16_384
/** Each process searches a slice of its own: test workers do not meet. */
const SLICES = 64
const PER_SLICE = 256

/** `{{port}}` is the first port, `{{port.2}}` the second. */
const NAME = /^port(?:\.([2-9]|[1-9]\d))?$/

/** How many ports the placeholders in the values ask for. */
export function portsAskedFor(...values: unknown[]): number {
  const numbers = [...placesIn(values)].flatMap((name) => {
    const found = NAME.exec(name)
    return found ? [Number(found[1] ?? 1)] : []
  })
  return Math.max(0, ...numbers)
}

/** The placeholders for ports, in their order. */
export function portPlaces(ports: readonly number[]): Places {
  return Object.fromEntries(ports.map((port, i) => [i === 0 ? 'port' : `port.${i + 1}`, String(port)]))
}

/** Finds different ports of the loopback on which nothing listens. @throws Error when there are not enough */
export async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = []
  const ports: number[] = []
  const slice = FIRST + (process.pid % SLICES) * PER_SLICE
  const start = Math.floor(Math.random() * PER_SLICE)
  try {
    for (let i = 0; i < PER_SLICE && ports.length < count; i++) {
      const port = slice + ((start + i) % PER_SLICE)
      const server = await listenOn(port)
      if (!server) continue
      servers.push(server)
      ports.push(port)
    }
  } finally {
    await Promise.all(servers.map(close))
  }
  if (ports.length < count)
    throw new Error(`found only ${ports.length} free ports from ${slice} up; ${count} are needed`)
  return ports
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer()
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true })
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
