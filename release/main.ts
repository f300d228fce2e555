import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkTarball, conflictingRanges } from './check.ts'
import { ROOT } from './packages.ts'
import { stagePackages } from './stage.ts'
import { packStaged, type Tarball } from './tarballs.ts'

const USAGE = `usage: npm run build | pack | check:packages [-- --out DIR]
  build           writes each package, as it is published, to a directory in dist/
  pack            builds, then packs each into dist/*.tgz
  check:packages  packs, then checks each tarball`

/** Builds, packs or checks the packages that are published. Exits with 1 when a check finds a problem. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(1),
    allowPositionals: true,
    options: { out: { type: 'string', default: join(ROOT, 'dist') } },
  })
  const [task = '', ...more] = positionals
  if (more.length > 0 || !['build', 'pack', 'check'].includes(task)) {
    console.error(USAGE)
    return 2
  }
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const packages = await stagePackages(out)
  if (task === 'build') return 0
  const tarballs = packStaged(packages, out)
  for (const tarball of tarballs) console.log(describe(tarball))
  if (task === 'pack') return 0
  const problems = conflictingRanges(packages.map(({ stage }) => join(out, stage)))
  for (const tarball of tarballs) problems.push(...(await checkTarball(tarball, join(out, tarball.pack.stage))))
  for (const problem of problems) console.error(problem)
  console.log(`${tarballs.length} packages, ${problems.length} problems`)
  return problems.length === 0 ? 0 : 1
}

function describe({ pack, size, unpackedSize, files }: Tarball): string {
  return `${pack.manifest.name}@${pack.manifest.version}: ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${files.length} files`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  },
)
