import { cpSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { linkLibraries } from '@acp-snapshot/testing/link-libraries'
import { AGENT_CONFIG } from '@acp-snapshot/testing/start-agent'
import type { Workplace } from 'jest-environment-acp/child'

const ROOT = realpathSync(join(__dirname, '..', '..', '..'))

/** A copy of the agent's sources that a test may edit. It has its own build, and links the real libraries. */
interface SourceCopy {
  bin: string
  config: string
  /** Replaces text in a source file. @param file its path below `packages` */
  edit(file: string, from: string, to: string): void
}

/** Copies the sources of all packages into the workplace. */
export function copySources(place: Workplace): SourceCopy {
  const root = join(place.root, 'copy')
  const packages = join(root, 'packages')
  const leaveOut = new Set(['test', 'node_modules'])
  cpSync(join(ROOT, 'packages'), packages, { recursive: true, filter: (file) => !leaveOut.has(basename(file)) })
  const nested = readdirSync(packages).map((name) => join('packages', name, 'node_modules'))
  for (const path of ['node_modules', ...nested]) linkLibraries(ROOT, root, path)
  const config = join(packages, 'boot', 'agent.yml')
  cpSync(AGENT_CONFIG, config)
  return {
    bin: join(packages, 'boot', 'bin', 'acp-agent.mjs'),
    config,
    edit(file, from, to) {
      const path = join(packages, file)
      const text = readFileSync(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}`)
      writeFileSync(
        path,
        text.replace(from, () => to),
      )
    },
  }
}
