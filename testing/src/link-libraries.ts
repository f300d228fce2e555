import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Links everything in one `node_modules` of a project into a copy of the project. A link to a workspace of the project
 * becomes a link to its copy.
 *
 * @param path the path of `node_modules` in the project
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

/** The packages in an entry of `node_modules`: one package, or all packages of a scope. */
function packagesOf(installed: string, name: string): string[] {
  if (name.startsWith('.')) return []
  return name.startsWith('@') ? readdirSync(join(installed, name)).map((scoped) => join(name, scoped)) : [name]
}
