const path = require('node:path')
const jestProjects = require('./command/projects.cjs')
const recording = require('./command/recording.cjs')
const selection = require('./command/selection.cjs')
const goldens = require('./record/obsolete.cjs')
const unused = require('./record/unused-rules.cjs')
const inputFile = require('./scenario/input-file.cjs')

/**
 * Looks at the command before anything runs. At the end it looks for rules that replaced nothing, and for goldens whose
 * scenario is gone: Jest's own summary calls them obsolete, `-u` removes them, `--ci` fails. A filtered run looks at none.
 * Stands before `default` in `reporters`, which prints what this one counted.
 * Plain JavaScript: Jest loads a reporter without the project's transform.
 */
module.exports = class AcpReporter {
  /** @type {Error | undefined} */
  #error
  #config
  /** The scenarios that ran, by project. @type {Map<unknown, string[]>} */
  #ran = new Map()

  /** @param {import('@jest/reporters').Config.GlobalConfig} config */
  constructor(config) {
    this.#config = config
    // For the commands that messages name. Workers inherit it: they do not see Jest's command line.
    process.env.ACP_JEST_ARGS = JSON.stringify(process.argv.slice(2))
  }

  async onRunStart() {
    await selection.requireKnownProjects(this.#config)
    const announcement = await recording.announceRecording(this.#config)
    if (announcement !== undefined) process.stderr.write(`${announcement}\n`)
  }

  /** @param {import('@jest/reporters').Test} test */
  onTestResult({ path: file, context }) {
    if (path.basename(file) !== inputFile.INPUT || !jestProjects.isAcp(context.config)) return
    this.#ran.set(context.config.id, [...(this.#ran.get(context.config.id) ?? []), file])
  }

  /**
   * @param {Set<import('@jest/reporters').TestContext>} contexts
   * @param {import('@jest/reporters').AggregatedResult} results
   */
  onRunComplete(contexts, { snapshot }) {
    if (isFiltered(this.#config)) return
    for (const { config } of contexts) this.#reportUnusedRules(config)
    const find = (/** @type {import('@jest/reporters').TestContext} */ context) =>
      goldens.findObsolete(context, this.#ran.get(context.config.id) ?? [])
    const obsolete = [...new Set([...contexts].flatMap(find))].sort()
    if (obsolete.length === 0) return
    const update = this.#config.updateSnapshot === 'all'
    const { removed, problems } = update ? goldens.removeObsolete(obsolete) : { removed: obsolete, problems: [] }
    snapshot.filesRemoved += removed.length
    snapshot.filesRemovedList = [...(snapshot.filesRemovedList ?? []), ...removed]
    if (problems.length > 0)
      this.#fail(`goldens without an ${inputFile.INPUT} could not be removed: ${problems.join('; ')}`)
    if (this.#config.ci && !update) {
      const names = obsolete.map((file) => path.relative(this.#config.rootDir, file)).join(', ')
      this.#fail(`goldens without an ${inputFile.INPUT}: ${names}. Remove them, or run jest -u`)
    }
  }

  /** @param {import('@jest/reporters').TestContext['config']} config */
  #reportUnusedRules({ id, testEnvironmentOptions }) {
    const scenarios = this.#ran.get(id) ?? []
    const rules = unused.findUnusedRules(testEnvironmentOptions, scenarios)
    if (rules.length === 0) return
    const what = `testEnvironmentOptions.acp.normalize: replaced nothing in ${scenarios.length} scenarios`
    process.stderr.write(`\n${what}: ${rules.join(', ')}. Correct the rule, or remove it\n`)
  }

  getLastError() {
    return this.#error
  }

  /** Jest exits with 1 for an error of a reporter, and prints nothing of it. @param {string} message */
  #fail(message) {
    this.#error = new Error(message)
    process.stderr.write(`\n${message}\n`)
  }
}

/** @param {import('@jest/reporters').Config.GlobalConfig} config */
function isFiltered(config) {
  const { testPathPatterns, testNamePattern, onlyChanged, onlyFailures, findRelatedTests, shard } = config
  const patterns = testPathPatterns.patterns.length > 0
  return patterns || Boolean(testNamePattern || onlyChanged || onlyFailures || findRelatedTests || shard)
}
