import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Links, in a copy of a project, what is installed in one of its `node_modules`. A link to a package of the project
 * becomes one to its copy.
 *
 * @param path of the `node_modules`, in the project
 */
export function linkLibraries(project: string, copy: string, path: string): void {
  const installed = join(project, path)
  if (!existsSync(installed)) return
  for (const name of readdirSync(installed).flatMap((name) => packagesOf(installed, name))) {
    const target = realpathSync(join(installed, name))
    const place = relative(project, target)
    const ours = !place.split(sep).includes('node_modules')
    mkdirSync(dirname(join(copy, path, name)), { recursive: true })
    symlinkSync(ours ? join(copy, place) : target, join(copy, path, name))
  }
}

/** The packages that a name in `node_modules` stands for: itself, or those of a scope. */
function packagesOf(installed: string, name: string): string[] {
  if (name.startsWith('.')) return []
  return name.startsWith('@') ? readdirSync(join(installed, name)).map((scoped) => join(name, scoped)) : [name]
}
