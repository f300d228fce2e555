import type { Entry, Manifest, Package } from './packages.ts'
import { PLAIN } from './scripts.ts'

const REPOSITORY = 'https://github.com/acp-snapshot/acp-snapshot'

/** What must be the user's own instance. An app has one Cordis; `boot` is an app. */
const PEERS: ReadonlySet<string> = new Set(['cordis'])
const APP = '@acp-snapshot/boot'

/** Jest has this module for every test, without an installed package. */
const BUILT_IN = '@jest/globals'

/** Jest and its parts: any version that fits the user's Jest, so that npm installs none twice. */
const PARTS_OF_JEST: ReadonlySet<string> = new Set([
  'jest',
  '@jest/environment',
  '@jest/types',
  'jest-environment-node',
  'jest-util',
])

/**
 * The `package.json` of a published package, from that of its sources. The dependencies are what the built files import:
 * none can be missing, and none is left over.
 *
 * @param imports the packages that its built files import
 * @param packages every package that is published
 * @throws Error for an import that no `package.json` names
 */
export function stagedManifest(
  pack: Package,
  imports: ReadonlySet<string>,
  { packages, engines }: { packages: readonly Package[]; engines: Readonly<Record<string, string>> },
): Record<string, unknown> {
  const { manifest, dir, keywords, format, entries, bin, copied = [] } = pack
  const names = [...imports].filter((name) => name !== manifest.name && name !== BUILT_IN).sort()
  const isPeer = (name: string) => PEERS.has(name) && manifest.name !== APP
  const peers = [...names.filter(isPeer), ...(imports.has('jest-environment-node') ? ['jest'] : [])]
  const ranges = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, rangeOf(name, manifest, packages)]))
  const main = entries.find(({ subpath }) => subpath === '.')
  return {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    keywords,
    homepage: `${REPOSITORY}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: dir },
    license: manifest.license,
    engines,
    type: format === 'esm' ? 'module' : 'commonjs',
    ...(main && { main: fileOf(main), types: `./lib/${main.out}.d.ts` }),
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry.subpath, conditions(entry)])),
      ...Object.fromEntries(copied.map((name) => [`./${name}/*`, `./${name}/*`])),
      './package.json': './package.json',
    },
    ...(bin && { bin: Object.fromEntries(Object.keys(bin).map((name) => [name, './lib/bin.js'])) }),
    files: ['lib', ...copied],
    publishConfig: { access: 'public' },
    ...someOf('peerDependencies', ranges(peers)),
    ...someOf('dependencies', ranges(names.filter((name) => !isPeer(name)))),
  }
}

function conditions(entry: Entry): unknown {
  return entry.typed ? { types: `./lib/${entry.out}.d.ts`, default: fileOf(entry) } : fileOf(entry)
}

function fileOf({ source, out }: Entry): string {
  return `./lib/${out}${PLAIN.exec(source)?.[0] ?? '.js'}`
}

function someOf(key: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(values).length === 0 ? {} : { [key]: values }
}

/** The range for a dependency: ours are released together; a pre-release promises nothing to the next one. */
function rangeOf(name: string, manifest: Manifest, packages: readonly Package[]): string {
  const ours = packages.find((pack) => pack.manifest.name === name)
  if (ours) return ours.manifest.version
  if (PARTS_OF_JEST.has(name)) return '^30.0.0'
  const pinned = [manifest, ...packages.map((pack) => pack.manifest)].flatMap(
    ({ dependencies }) => dependencies[name] ?? [],
  )
  const [version] = pinned
  if (version === undefined) throw new Error(`${manifest.name} imports ${name}, which is in no "dependencies"`)
  return /^\d+\.\d+\.\d+$/.test(version) ? `^${version}` : version
}
