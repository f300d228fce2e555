const fs = require('node:fs')
const path = require('node:path')

const GOLDEN = 'stdout.golden.jsonl'

/**
 * Finds goldens whose scenario is gone: Jest's own summary calls them obsolete, `-u` removes them, `--ci` fails.
 * Stands before `default` in `reporters`, which prints what this one counted. A filtered run looks at none.
 * Plain JavaScript: Jest loads a reporter without the project's transform.
 */
module.exports = class ObsoleteGoldens {
  /** @type {Error | undefined} */
  #error
  #config

  /** @param {import('@jest/reporters').Config.GlobalConfig} config */
  constructor(config) {
    this.#config = config
    // For the commands that messages name. Workers inherit it: they do not see Jest's command line.
    process.env.ACP_JEST_ARGS = JSON.stringify(process.argv.slice(2))
  }

  /**
   * @param {Set<import('@jest/reporters').TestContext>} contexts
   * @param {import('@jest/reporters').AggregatedResult} results
   */
  onRunComplete(contexts, { snapshot }) {
    if (isFiltered(this.#config)) return
    const obsolete = [...new Set([...contexts].flatMap(findObsolete))].sort()
    if (obsolete.length === 0) return
    const update = this.#config.updateSnapshot === 'all'
    if (update) for (const file of obsolete) fs.rmSync(file)
    snapshot.filesRemoved += obsolete.length
    snapshot.filesRemovedList = [...(snapshot.filesRemovedList ?? []), ...obsolete]
    if (this.#config.ci && !update) {
      const names = obsolete.map((file) => path.relative(this.#config.rootDir, file)).join(', ')
      this.#error = new Error(`goldens without an input.json: ${names}. Remove them, or run jest -u`)
      // Jest exits with 1 for it, and prints nothing of it.
      process.stderr.write(`\n${this.#error.message}\n`)
    }
  }

  getLastError() {
    return this.#error
  }
}

/** @param {import('@jest/reporters').TestContext} context */
function findObsolete({ hasteFS, config }) {
  if (!('acp' in config.testEnvironmentOptions)) return []
  const files = hasteFS.getAllFiles().filter((file) => file.endsWith(GOLDEN))
  return files.filter((file) => !fs.existsSync(path.join(path.dirname(file), 'input.json')))
}

/** @param {import('@jest/reporters').Config.GlobalConfig} config */
function isFiltered(config) {
  const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, findRelatedTests, shard } = config
  const patterns = testPathPatterns.patterns.length > 0
  return patterns || Boolean(testNamePattern || onlyChanged || onlyFailures || findRelatedTests || shard)
}
