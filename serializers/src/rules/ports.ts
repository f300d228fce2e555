import type { Finder } from '../matches.ts'
import { canBegin } from '../word-boundary.ts'

/**
 * The rule `ports`: the system chose the port of a loopback `host:port` if the port is in the ephemeral range (from 32768
 * on Linux, from 49152 on macOS and Windows). A person chose a lower port, so it stays visible.
 */
export function portFinder(tokenOf: (port: string) => string): Finder {
  return (text) => {
    if (!HOSTS.some((host) => text.includes(host))) return undefined
    return (from) => {
      HOST_AND_PORT.lastIndex = from
      for (let found = HOST_AND_PORT.exec(text); found; found = HOST_AND_PORT.exec(text)) {
        const [all, port = ''] = found
        if (Number(port) < FIRST_EPHEMERAL || Number(port) > LAST || !canBegin(text, found.index)) continue
        const end = found.index + all.length
        return { start: end - port.length, end, replacement: () => tokenOf(port) }
      }
      return undefined
    }
  }
}

const FIRST_EPHEMERAL = 32_768
const LAST = 65_535
const HOSTS = ['127.', 'localhost', '::1]', '0.0.0.0']
const HOST_AND_PORT =
  /(?<![.-])(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|localhost|\[::1\])(?::|%3[aA])(?=(\d{5})(?!\w|\.\d))\d{5}/g
