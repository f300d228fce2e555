import { cpSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { listFiles } from './files.ts'
import { type Package, ROOT } from './packages.ts'

/** Files that Node runs as they are: processes, and what the reporter loads. They are copied, not bundled. */
export const PLAIN = /\.[cm]js$/

/** What one package imports at run time, by package name. */
export type Imports = ReadonlySet<string>

/**
 * Builds the JavaScript of a package into `lib/`: one file per entry. An ES module package shares chunks between its
 * entries, so that a class is one value. A CommonJS package shares its plain files.
 *
 * @param lib the staged `lib/`
 * @returns the packages that it imports
 */
export async function buildScripts(pack: Package, lib: string): Promise<Imports> {
  const src = join(ROOT, pack.dir, 'src')
  const plain = listFiles(src).filter((file) => PLAIN.test(file))
  for (const file of plain) cpSync(join(src, file), join(lib, file))
  const sources = [
    ...pack.entries.filter(({ source }) => !PLAIN.test(source)).map(({ source, out }) => ({ in: source, out })),
    ...Object.values(pack.bin ?? {}).map((source) => ({ in: join(ROOT, pack.dir, source), out: 'bin' })),
  ]
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: sources,
    outdir: lib,
    bundle: true,
    splitting: pack.format === 'esm',
    format: pack.format,
    platform: 'node',
    target: 'node20',
    metafile: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    chunkNames: 'shared-[hash]',
    plugins: [externals(pack)],
  })
  requireOwnSources(Object.keys(metafile.inputs), pack)
  const imported = [metafile, await importsOfPlain(plain.map((file) => join(src, file)))].flatMap(externalImports)
  return new Set(imported.flatMap(packageOf))
}

/** Keeps every package outside the bundle, and the plain files at their place in `lib/`. */
function externals({ bundlesOurs }: Package): Plugin {
  return {
    name: 'externals',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || (bundlesOurs && path.startsWith('@acp-snapshot/'))) return undefined
        return { path, external: true }
      })
      onResolve({ filter: PLAIN }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point' || !path.startsWith('.')) return undefined
        const [, inSource] = join(resolveDir, path).split(/[\\/]src[\\/](.*)$/s)
        return { path: `./${inSource?.replaceAll('\\', '/')}`, external: true }
      })
    },
  }
}

/** @throws Error for a file in a bundle that is not a source of a published package */
function requireOwnSources(inputs: readonly string[], { dir }: Package): void {
  const foreign = inputs.filter((file) => !/^(?:environment|serializers|packages\/[\w-]+)\/src\//.test(file))
  if (foreign.length > 0) throw new Error(`${dir}: only sources may be built, not ${foreign.join(', ')}`)
}

/** The same for files that are copied. */
async function importsOfPlain(files: readonly string[]): Promise<Metafile> {
  const options = { bundle: true, packages: 'external', write: false, metafile: true, platform: 'node' } as const
  const { metafile } = await build({
    entryPoints: [...files],
    outdir: 'unused',
    logLevel: 'silent',
    format: 'esm',
    ...options,
  })
  return metafile
}

function externalImports({ inputs }: Metafile): string[] {
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  // Helpers of esbuild count as external, too.
  return imports.flatMap(({ path, external }) => (external && path !== '<runtime>' ? path : []))
}

/** The package that an import names, if it names one. */
export function packageOf(specifier: string): string[] {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || builtinModules.includes(specifier)) return []
  const [scope = '', name = ''] = specifier.split('/')
  return [scope.startsWith('@') ? `${scope}/${name}` : scope]
}
