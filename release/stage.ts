import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDeclarations } from './declarations.ts'
import { stagedManifest } from './manifest.ts'
import { type Package, ROOT, readPackages } from './packages.ts'
import { buildScripts } from './scripts.ts'

/**
 * Builds every package that is published into a directory of its own, ready for `npm publish`. The packages of the
 * repository are left alone: they run from source, so that nothing in it can run an old build.
 *
 * @param out where the staged packages are written; staged packages from before are replaced
 */
export async function stagePackages(out: string): Promise<Package[]> {
  const packages = readPackages()
  for (const { stage } of packages) rmSync(join(out, stage), { recursive: true, force: true })
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const scripts = await Promise.all(packages.map((pack) => buildScripts(pack, join(out, pack.stage, 'lib'))))
  const declarations = await buildDeclarations(packages, out)
  for (const [i, pack] of packages.entries()) {
    const imports = new Set([...(scripts[i] ?? []), ...(declarations.get(pack.stage) ?? [])])
    writeRest(pack, join(out, pack.stage), stagedManifest(pack, imports, { packages, engines }))
  }
  return packages
}

function writeRest({ dir, bin, copied = [] }: Package, stage: string, manifest: Record<string, unknown>): void {
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'))
  const readme = join(ROOT, dir, 'README.md')
  if (!existsSync(readme)) throw new Error(`${dir}/README.md is missing: npm shows it on the page of the package`)
  cpSync(readme, join(stage, 'README.md'))
  for (const name of copied) cpSync(join(ROOT, dir, name), join(stage, name), { recursive: true })
  if (bin) chmodSync(join(stage, 'lib', 'bin.js'), 0o755)
}
