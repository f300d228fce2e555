import { join, relative, sep } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { type Package, ROOT } from './packages.ts'
import { PLAIN, packageOf } from './scripts.ts'

/**
 * Writes the declarations of all packages to the `lib/` of each: one TypeScript program is far cheaper than one per
 * package. What only types of other packages need is left out, so that they stay importable.
 *
 * @param out the directory of the staged packages
 * @returns the packages that the declarations of each package import, by stage
 */
export async function buildDeclarations(packages: readonly Package[], out: string): Promise<Map<string, Set<string>>> {
  const inputs = packages.flatMap(({ stage, entries }) =>
    entries.filter(({ typed }) => typed).map(({ source, out }) => [`${stage}/lib/${out}`, source] as const),
  )
  const built = await rollup({
    input: Object.fromEntries(inputs),
    external: (id) => /^[^./]/.test(id) || PLAIN.test(id),
    treeshake: { moduleSideEffects: false },
    // A config of its own: the plugin lists its files again for each import.
    plugins: [dts({ tsconfig: join(__dirname, 'tsconfig.declarations.json') })],
    onLog: (_, { message }) => {
      throw new Error(`declarations: ${message}`)
    },
  })
  const { output } = await built.write({
    dir: out,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ moduleIds }) => `${stageOf(packages, moduleIds[0] ?? '')}/lib/shared-[hash].d.ts`,
  })
  await built.close()
  const imports = new Map(packages.map(({ stage }) => [stage, new Set<string>()]))
  for (const file of output) {
    if (file.type !== 'chunk') continue
    const others = file.imports.filter((name) => !output.some(({ fileName }) => fileName === name))
    for (const name of others.flatMap(packageOf)) imports.get(file.fileName.split('/')[0] ?? '')?.add(name)
  }
  return imports
}

/** The package that a source belongs to. */
function stageOf(packages: readonly Package[], file: string): string | undefined {
  return packages.find(({ dir }) => relative(join(ROOT, dir), file).startsWith(`src${sep}`))?.stage
}
