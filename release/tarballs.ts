import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import * as z from 'zod'
import type { Package } from './packages.ts'

/** A package as npm would publish it. */
export interface Tarball {
  pack: Package
  /** The path of the `.tgz`. */
  file: string
  /** In bytes. */
  size: number
  unpackedSize: number
  /** The paths of the files in it. */
  files: readonly string[]
}

const packedSchema = z.array(
  z.object({
    name: z.string(),
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
)

/** Packs staged packages, as `npm publish` would. @param out where they are staged, and the tarballs are written */
export function packStaged(packages: readonly Package[], out: string): Tarball[] {
  const dirs = packages.map(({ stage }) => join(out, stage))
  const args = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--offline',
    '--loglevel=error',
    '--pack-destination',
    out,
    ...dirs,
  ]
  const packed = packedSchema.parse(JSON.parse(execFileSync('npm', args, { cwd: out, encoding: 'utf8' })))
  return packages.map((pack) => {
    const found = packed.find(({ name }) => name === pack.manifest.name)
    if (!found) throw new Error(`npm pack made no tarball of ${pack.manifest.name}`)
    const { filename, files, ...sizes } = found
    return { pack, file: join(out, filename), files: files.map(({ path }) => path), ...sizes }
  })
}
