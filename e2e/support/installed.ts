import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import type { Workplace } from 'jest-environment-acp/child'
import * as z from 'zod'
import { expectStatus, runCommand } from './shell.ts'

const ROOT = join(__dirname, '..', '..')

/** A package that `npm run pack` wrote. */
export interface Packed {
  name: string
  /** The path of its tarball. */
  tarball: string
  /** The directory of its sources in this repository. */
  sources: string
  dependencies: readonly string[]
}

/** The packages in the output directory of `npm run pack`. */
export function packedIn(out: string): Packed[] {
  const stages = readdirSync(out).filter((name) => existsSync(join(out, name, 'package.json')))
  return stages.map((stage) => {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(out, stage, 'package.json'), 'utf8')))
    const { name, version, repository, dependencies, peerDependencies } = manifest
    return {
      name,
      tarball: join(out, `${stage}-${version}.tgz`),
      sources: repository.directory,
      dependencies: Object.keys({ ...dependencies, ...peerDependencies }),
    }
  })
}

const strings = z.record(z.string(), z.string()).default({})

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  repository: z.object({ directory: z.string() }),
  dependencies: strings,
  peerDependencies: strings,
})

/**
 * Installs tarballs with npm in an empty project, without the network: what they need from a registry lies there already,
 * as hard links to the libraries of this repository. npm would have to fetch a library that is missing, and fails.
 *
 * @param dir the project, an empty directory
 * @param libraries what the project has besides, in the versions of this repository
 */
export async function install(
  packed: readonly Packed[],
  libraries: readonly string[],
  { dir, place }: { dir: string; place: Workplace },
): Promise<void> {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))).packages
  const paths = closure(lock, [
    { from: '', names: libraries },
    ...packed.map(({ sources, dependencies }) => ({ from: sources, names: dependencies })),
  ])
  for (const path of paths) {
    if (!existsSync(join(ROOT, path))) continue
    linkTree(join(ROOT, path), join(dir, inProject(path)), ['node_modules'])
    linkCommands(join(dir, inProject(path)), lock[path]?.bin ?? {})
  }
  const devDependencies = Object.fromEntries(libraries.map((name) => [name, lock[`node_modules/${name}`]?.version]))
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'consumer', private: true, devDependencies }))
  const flags = '--legacy-peer-deps --no-package-lock --no-audit --no-fund --ignore-scripts'
  const files = packed.map(({ tarball }) => tarball).join(' ')
  expectStatus(0, await runCommand(`npm install --save-dev ${flags} ${files}`, { dir, place }))
}

/** What a workspace has for itself lies at the top of the project. */
function inProject(path: string): string {
  return path.replace(/^.*?(?=node_modules\b)/, '')
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().default(false),
      bin: strings,
      dependencies: strings,
      optionalDependencies: strings,
      peerDependencies: strings,
    }),
  ),
})

type Lock = z.output<typeof lockSchema>['packages']

/** The paths of libraries in this repository, and of all that they need. */
function closure(lock: Lock, roots: readonly { from: string; names: readonly string[] }[]): Set<string> {
  const found = new Set<string>()
  const visit = (from: string, names: readonly string[]) => {
    for (const path of names.flatMap((name) => resolveLibrary(lock, from, name) ?? [])) {
      const entry = lock[path]
      if (!entry || entry.link || found.has(path)) continue
      found.add(path)
      const { dependencies, optionalDependencies, peerDependencies } = entry
      visit(path, Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
    }
  }
  for (const { from, names } of roots) visit(from, names)
  return found
}

/** Where Node would find a library from a directory of this repository. */
function resolveLibrary(lock: Lock, from: string, name: string): string | undefined {
  const parts = from.split('/').filter(Boolean)
  const places = [...parts.keys(), parts.length].reverse().map((n) => [...parts.slice(0, n), 'node_modules', name])
  return places.map((place) => place.join('/')).find((path) => path in lock)
}

/** Copies a directory as hard links. */
export function linkTree(from: string, to: string, leftOut: readonly string[] = []): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (leftOut.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target, leftOut)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}

/** Links the commands of a library: npm would fetch the library again if one of them were missing. */
function linkCommands(library: string, bin: Readonly<Record<string, string>>): void {
  const folder = join(/^.*node_modules(?=[\\/])/.exec(library)?.[0] ?? library, '.bin')
  for (const [name, program] of Object.entries(bin)) {
    mkdirSync(folder, { recursive: true })
    if (!existsSync(join(folder, name))) symlinkSync(relative(folder, join(library, program)), join(folder, name))
    // cordis names a command that it does not contain.
    if (!existsSync(join(library, program))) writeFileSync(join(library, program), '')
  }
}
