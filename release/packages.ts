import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(__dirname, '..')

/** What the build must know of a package beside its `package.json`. */
interface Published {
  /** Its directory. */
  dir: string
  /** Exports for code of this repository alone. */
  internal?: readonly string[]
  /** Entries that a Jest config names and no code imports: they have no declarations. */
  untyped?: readonly string[]
  /** The source of each of its commands: a published package starts no TypeScript. */
  bin?: Readonly<Record<string, string>>
  /** Directories that are copied as they are. */
  copied?: readonly string[]
  /** Whether it contains our other packages, so that a user installs none of them. */
  bundlesOurs?: boolean
  keywords: readonly string[]
}

const PLUGIN = ['acp', 'agent-client-protocol', 'cordis', 'cordis-plugin'] as const

/** The packages that are published, in the order in which one needs another. */
const PUBLISHED: readonly Published[] = [
  { dir: 'serializers', keywords: ['acp', 'agent-client-protocol', 'jest', 'snapshot', 'serializer'] },
  {
    dir: 'environment',
    internal: ['./child', './client', './run', './scenario'],
    untyped: ['./jest-preset', './reporter', './setup'],
    bin: { 'acp-snapshot': 'src/cli/bin.ts' },
    copied: ['schema'],
    bundlesOurs: true,
    keywords: ['acp', 'agent-client-protocol', 'jest', 'jest-environment', 'snapshot', 'replay'],
  },
  { dir: 'packages/json-text', keywords: ['json', 'position', 'untrusted'] },
  { dir: 'packages/session', keywords: ['acp', 'agent-client-protocol', 'session', 'jsonl'] },
  { dir: 'packages/llm', keywords: PLUGIN },
  { dir: 'packages/llm-deepseek', keywords: [...PLUGIN, 'deepseek'] },
  { dir: 'packages/llm-replay', keywords: [...PLUGIN, 'replay'] },
  { dir: 'packages/model-wire', keywords: ['llm', 'openai', 'anthropic', 'gemini', 'sse'] },
  {
    dir: 'packages/llm-server',
    bin: { 'llm-server': 'src/bin.ts' },
    keywords: ['llm', 'fake', 'server', 'deepseek', 'openai', 'anthropic', 'gemini', 'fault-injection'],
  },
  { dir: 'packages/tools', keywords: PLUGIN },
  { dir: 'packages/shell', keywords: PLUGIN },
  { dir: 'packages/shell-local', keywords: PLUGIN },
  { dir: 'packages/tool-bash', keywords: PLUGIN },
  { dir: 'packages/agent', keywords: PLUGIN },
  { dir: 'packages/session-persistence-jsonl', keywords: PLUGIN },
  { dir: 'packages/invariants', keywords: PLUGIN },
  { dir: 'packages/acp', keywords: PLUGIN },
  {
    dir: 'packages/boot',
    internal: ['./bin'],
    bin: { 'acp-agent': 'src/bin.ts' },
    keywords: ['acp', 'agent-client-protocol', 'cordis'],
  },
]

/** The fields of a `package.json` of this repository that a build reads. */
export interface Manifest {
  name: string
  version: string
  private?: boolean
  description?: string
  license: string
  type?: 'module'
  exports: Readonly<Record<string, string>>
  dependencies: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}

/** A package that is published. Paths of sources are absolute. */
export interface Package extends Published {
  manifest: Manifest
  /** The name of its staged directory. */
  stage: string
  format: 'esm' | 'cjs'
  /** The public entries: the subpath in `exports`, and its source. */
  entries: readonly Entry[]
}

export interface Entry {
  subpath: string
  source: string
  /** The path of the built file in `lib/`, without the extension. */
  out: string
  typed: boolean
}

/**
 * Reads every package that is published.
 *
 * @throws Error for a package that is not listed here, or that does not run from source in the repository
 */
export function readPackages(): Package[] {
  const listed = PUBLISHED.map(({ dir }) => dir)
  const missing = readdirSync(join(ROOT, 'packages')).filter((name) => !listed.includes(`packages/${name}`))
  if (missing.length > 0) throw new Error(`release/packages.ts does not list packages/${missing.join(', packages/')}`)
  return PUBLISHED.map((published) => {
    const manifest = readManifest(join(ROOT, published.dir))
    requireSources(published, manifest)
    const stage = manifest.name.replace('@', '').replace('/', '-')
    return {
      ...published,
      manifest,
      stage,
      format: manifest.type === 'module' ? 'esm' : 'cjs',
      entries: Object.entries(manifest.exports)
        .filter(([subpath]) => !published.internal?.includes(subpath))
        .map(([subpath, source]) => ({
          subpath,
          source: join(ROOT, published.dir, source),
          out: outOf(subpath),
          typed: !published.untyped?.includes(subpath),
        })),
    }
  })
}

/** In the repository, nothing may run a build, and only a staged package may be published. */
function requireSources({ dir }: Published, { exports, private: isPrivate }: Manifest): void {
  if (!isPrivate) throw new Error(`${dir}/package.json must have "private": true: npm publish takes dist/`)
  const built = Object.values(exports).filter((path) => !/^\.\/(?:src|bin)\//.test(path))
  if (built.length > 0) throw new Error(`${dir}/package.json: "exports" must name sources, not ${built.join(', ')}`)
}

/** Reads the `package.json` in a directory, of sources or of a staged package. */
export function readManifest(dir: string): Manifest {
  const { exports = {}, dependencies = {}, ...rest } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  return { ...rest, exports: typeof exports === 'string' ? { '.': exports } : exports, dependencies }
}

function outOf(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.slice('./'.length)
}
