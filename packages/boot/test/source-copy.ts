import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Workplace } from '../../../environment/src/child/index.ts'
import { AGENT_CONFIG } from './agent-child.ts'

const ROOT = realpathSync(join(__dirname, '..', '..', '..'))

/** A copy of the agent's sources, to be edited. Its libraries are the real ones, its build is its own. */
export interface SourceCopy {
  bin: string
  config: string
  /** Replaces text that occurs in a source file, given by its path under `packages`. */
  edit(file: string, from: string, to: string): void
}

/** Copies the sources of all packages into the workplace. */
export function copySources(place: Workplace): SourceCopy {
  const root = join(place.root, 'copy')
  const packages = join(root, 'packages')
  const leaveOut = new Set(['test', 'node_modules'])
  cpSync(join(ROOT, 'packages'), packages, { recursive: true, filter: (file) => !leaveOut.has(basename(file)) })
  linkLibraries(root)
  for (const name of readdirSync(packages)) {
    const nested = join(name, 'node_modules')
    if (existsSync(join(ROOT, 'packages', nested))) symlinkSync(join(ROOT, 'packages', nested), join(packages, nested))
  }
  const config = join(packages, 'boot', 'agent.yml')
  cpSync(AGENT_CONFIG, config)
  return {
    bin: join(packages, 'boot', 'bin', 'acp-agent.mjs'),
    config,
    edit(file, from, to) {
      const path = join(packages, file)
      const text = readFileSync(path, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} does not hold ${JSON.stringify(from)}`)
      writeFileSync(
        path,
        text.replace(from, () => to),
      )
    },
  }
}

/** Links what is installed; a link to a package of ours becomes one to its copy. */
function linkLibraries(root: string): void {
  const installed = join(ROOT, 'node_modules')
  const link = (name: string) => {
    const target = realpathSync(join(installed, name))
    const ours = relative(join(ROOT, 'packages'), target)
    symlinkSync(ours.startsWith('..') ? target : join(root, 'packages', ours), join(root, 'node_modules', name))
  }
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(installed)) {
    if (name.startsWith('.')) continue
    if (!name.startsWith('@')) {
      link(name)
      continue
    }
    mkdirSync(join(root, 'node_modules', name))
    for (const scoped of readdirSync(join(installed, name))) link(join(name, scoped))
  }
}
