import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { build, type Format } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import * as ts from 'typescript'
import { readManifest } from './packages.ts'
import { packageOf } from './scripts.ts'
import type { Tarball } from './tarballs.ts'

/** What a package may hold: built files and their source maps, declarations, JSON Schemas, and what npm always adds. */
const WANTED =
  /^(?:lib\/(?!.*\.test\.)[\w/.-]+\.(?:[cm]?js|d\.ts)(?:\.map)?|schema\/[\w.-]+\.json|package\.json|README\.md|LICENSE)$/

/**
 * Looks for what is wrong with a package before somebody installs it.
 *
 * @param stage the staged package
 * @returns one line per problem
 */
export async function checkTarball(tarball: Tarball, stage: string): Promise<string[]> {
  const problems = [
    ...tarball.files.filter((file) => !WANTED.test(file)).map((file) => `contains ${file}, which is not needed`),
    ...(await undeclaredImports(tarball, stage)),
    ...(await publintProblems(tarball)),
    ...(await typeProblems(tarball)),
  ]
  return problems.map((problem) => `${tarball.pack.manifest.name}: ${problem}`)
}

/**
 * Looks for a dependency with two ranges: npm could install it twice, and a Cordis plugin would not be one for the other's
 * context.
 *
 * @param stages the staged packages
 * @returns one line per problem
 */
export function conflictingRanges(stages: readonly string[]): string[] {
  const ranges = new Map<string, Map<string, string>>()
  for (const { name, dependencies, peerDependencies } of stages.map(readManifest)) {
    for (const [needed, range] of Object.entries({ ...dependencies, ...peerDependencies }))
      ranges.set(needed, (ranges.get(needed) ?? new Map<string, string>()).set(range, name))
  }
  return [...ranges].flatMap(([needed, found]) => {
    const listed = [...found].map(([range, name]) => `${range} in ${name}`)
    return found.size > 1 ? `${needed} has several ranges: ${listed.join(', ')}` : []
  })
}

/** Every import of every file must name a file of the package, or a package that is installed with it. */
async function undeclaredImports({ pack, files }: Tarball, stage: string): Promise<string[]> {
  const { name, dependencies, peerDependencies = {} } = readManifest(stage)
  // Jest has its globals for every test, without an installed package.
  const declared = new Set([name, '@jest/globals', ...Object.keys({ ...dependencies, ...peerDependencies })])
  const isHere = (path: string) => files.includes(path) || files.includes(path.replace(/\.js$/, '.d.ts'))
  const scripts = files.filter((file) => /\.[cm]?js$/.test(file))
  const modules = scripts.filter((file) => pack.format === 'esm' || file.endsWith('.mjs'))
  const imports = [
    ...(await importsOfScripts(modules, 'esm', stage)),
    // In an ES module, esbuild would not look at `require.resolve`.
    ...(await importsOfScripts(
      scripts.filter((file) => !modules.includes(file)),
      'cjs',
      stage,
    )),
    ...files.filter((file) => file.endsWith('.d.ts')).flatMap((file) => importsOfDeclaration(file, stage)),
  ]
  return imports.flatMap(({ file, specifier }) => {
    if (specifier.startsWith('.'))
      return isHere(join(dirname(file), specifier).replaceAll('\\', '/'))
        ? []
        : `${file} imports ${specifier}, which is not in the package`
    return packageOf(specifier)
      .filter((name) => !declared.has(name))
      .map(() => `${file} imports ${specifier}, which is not in "dependencies"`)
  })
}

interface Import {
  file: string
  specifier: string
}

async function importsOfScripts(files: readonly string[], format: Format, stage: string): Promise<Import[]> {
  const found: Import[] = []
  await build({
    absWorkingDir: stage,
    entryPoints: [...files],
    outdir: 'unused',
    bundle: true,
    write: false,
    platform: 'node',
    format,
    logLevel: 'silent',
    plugins: [
      {
        name: 'imports',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ path, kind, importer }) => {
            if (kind === 'entry-point') return undefined
            found.push({ file: importer.slice(stage.length + 1).replaceAll('\\', '/'), specifier: path })
            return { path, external: true }
          })
        },
      },
    ],
  })
  return found
}

function importsOfDeclaration(file: string, stage: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(stage, file), 'utf8'), true, true)
  return importedFiles.map(({ fileName }) => ({ file, specifier: fileName }))
}

async function publintProblems({ file }: Tarball): Promise<string[]> {
  const { buffer, byteOffset, byteLength } = readFileSync(file)
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength)
  if (!(tarball instanceof ArrayBuffer)) throw new Error(`${file} cannot be read`)
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

/** How a package may be resolved: without `exports` it cannot have subpaths, and an ES module needs `import`. */
const IGNORED = { cjs: ['node10'], esm: ['node10', 'node16-cjs'] } as const

async function typeProblems({ pack, file }: Tarball): Promise<string[]> {
  const excludeEntrypoints = [...(pack.untyped ?? []), ...(pack.copied ?? []).map((name) => new RegExp(`^./${name}/`))]
  const result = await checkPackage(createPackageFromTarballData(readFileSync(file)), { excludeEntrypoints })
  if (!result.types) return ['has no types']
  const ignored: readonly string[] = IGNORED[pack.format]
  return result.problems
    .filter((problem) => !('resolutionKind' in problem) || !ignored.includes(problem.resolutionKind))
    .map((problem) => `types: ${describe(problem)}`)
}

function describe({ kind, ...rest }: Problem): string {
  return `${kind} ${JSON.stringify(rest)}`
}
