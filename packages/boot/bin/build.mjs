import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PACKAGES = realpathSync(fileURLToPath(new URL('../..', import.meta.url)))
const LOCAL_CACHE = join(PACKAGES, '..', 'node_modules', '.cache', 'acp-agent')
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Returns a build of the agent's current sources. Node 20 cannot import TypeScript, and a loader hook costs each child
 * 60 ms, so the sources are bundled once. The name of the build is a hash of everything in the bundle, so an edited file
 * leads to a new build. A build is renamed into place, so an existing one is complete.
 *
 * @returns {{ entry: string, pluginUrl: (file: string) => string }} the bundle of `boot`, and a function that maps the
 * main file of a package to the URL of its bundle, and any other file to its own URL
 */
export function currentBuild() {
  const sources = readSources()
  const dir = findBuild(sources) ?? build(sources)
  return {
    entry: join(dir, 'boot.js'),
    pluginUrl: (file) => {
      const [name, ...rest] = relative(PACKAGES, realpathSync(file)).split(/[\\/]/)
      const ours = rest.join('/') === 'src/index.ts'
      return pathToFileURL(ours ? join(dir, `${name}.js`) : file).href
    },
  }
}

/** Lists the packages to bundle, and hashes the sources of all packages: their names and bytes. */
function readSources() {
  const hash = createHash('sha256').update(process.version)
  const names = readdirSync(PACKAGES).filter((name) => existsSync(join(PACKAGES, name, 'package.json')))
  const packages = names.filter(isPlugin).sort()
  const files = [
    join(PACKAGES, 'boot', 'bin', 'build.mjs'),
    ...names.flatMap((name) => [join(PACKAGES, name, 'package.json'), ...listFiles(join(PACKAGES, name, 'src'))]),
  ]
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return { packages, key: hash.digest('hex').slice(0, 16) }
}

/**
 * Whether a package is a plugin, which the Loader imports. Plugins import the other packages.
 * @param {string} name
 */
function isPlugin(name) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8'))
  return 'cordis' in dependencies
}

/**
 * @param {string} dir
 * @returns {string[]}
 */
function listFiles(dir) {
  const entries = readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(dir, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

/**
 * Finds an up-to-date build. The files it took from `node_modules` are listed beside it: if one changed, it is stale.
 * @param {{ key: string }} sources
 */
function findBuild({ key }) {
  for (const cache of [LOCAL_CACHE, ...privateCaches().filter(isPrivate)]) {
    const list = join(cache, `${key}.json`)
    if (!existsSync(list)) continue
    const dir = buildDir(cache, key, JSON.parse(readFileSync(list, 'utf8')))
    if (dir !== undefined && existsSync(dir)) return dir
  }
  return undefined
}

/** @param {string} cache @param {string} key @param {string[]} libraries */
function buildDir(cache, key, libraries) {
  const hash = createHash('sha256')
  for (const file of libraries) {
    const stat = statSync(join(PACKAGES, file), { throwIfNoEntry: false })
    if (!stat) return undefined
    hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\0`)
  }
  return join(cache, `${key}-${hash.digest('hex').slice(0, 16)}`)
}

/**
 * Returns the first writable cache: `node_modules` may be read-only. The others are found through the user account, not
 * through environment variables, because each run of a test has its own home and temp directory.
 */
function writableCache() {
  for (const cache of [LOCAL_CACHE, ...privateCaches()]) {
    try {
      mkdirSync(cache, { recursive: true, mode: cache === LOCAL_CACHE ? 0o777 : 0o700 })
      accessSync(cache, constants.W_OK | constants.X_OK)
      if (cache === LOCAL_CACHE || isPrivate(cache)) return cache
    } catch {
      // Try the next one.
    }
  }
  throw new Error(`cannot write to any build directory: ${[LOCAL_CACHE, ...privateCaches()].join(', ')}`)
}

/** Caches outside the checkout. Their names contain a hash of its path. */
function privateCaches() {
  const name = `acp-agent-${createHash('sha256').update(PACKAGES).digest('hex').slice(0, 16)}`
  const temp = join(process.platform === 'win32' ? tmpdir() : '/tmp', `${name}-${process.getuid?.() ?? 'user'}`)
  try {
    return [join(userInfo().homedir, '.cache', name), temp]
  } catch {
    // The account has no entry in the user database, and so no home.
    return [temp]
  }
}

/**
 * The agent runs what is in it, so the directory must belong to this user, and nobody else may have access.
 * @param {string} dir
 */
function isPrivate(dir) {
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return false
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0)
}

/** @param {{ packages: string[], key: string }} sources */
function build({ packages, key }) {
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  const cache = writableCache()
  const work = join(cache, `${process.pid}.tmp`)
  const { metafile } = buildSync({
    absWorkingDir: PACKAGES,
    entryPoints: packages.map((name) => ({ in: join(PACKAGES, name, 'src', 'index.ts'), out: name })),
    outdir: work,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    external: ['@modelcontextprotocol/*'],
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  })
  const libraries = Object.keys(metafile.inputs).filter((file) => file.includes('node_modules'))
  const dir = buildDir(cache, key, libraries)
  if (dir === undefined) throw new Error('a library changed during the build; start the agent again')
  publish(work, dir)
  const list = join(cache, `${process.pid}.list`)
  writeFileSync(list, JSON.stringify(libraries))
  renameSync(list, join(cache, `${key}.json`))
  prune(cache)
  return dir
}

/**
 * Moves a build into place. If another process has done the same build meanwhile, that one stays.
 * @param {string} work
 * @param {string} dir
 */
function publish(work, dir) {
  try {
    renameSync(work, dir)
  } catch (error) {
    rmSync(work, { recursive: true, force: true })
    if (!existsSync(dir)) throw error
  }
}

/** @param {string} cache */
function prune(cache) {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
