// Plain CommonJS, because the reporter runs it as it is, without a loader.
const path = require('node:path')
const jestProjects = require('./projects.cjs')
const shell = require('./quote-word.cjs')

/** @typedef {{ select: string[], ignore: string[], rest: string[] }} Selection the words after the two flags, and all other words */

/**
 * Stops a run whose command uses a pattern as a project name: Jest would ignore the word and run everything.
 *
 * @param {{ projects: readonly unknown[] }} config Jest's global config
 * @throws Error with the corrected command
 */
async function requireKnownProjects(config) {
  const selection = splitArgs(process.argv.slice(2))
  const words = [...selection.select, ...selection.ignore]
  const inline = new Set(config.projects.map(nameOf))
  if (words.every((word) => inline.has(word))) return
  const projects = await jestProjects.readProjects()
  if (!projects) return
  const scenarios = projects
    .filter(jestProjects.isAcp)
    .flatMap(jestProjects.scenarioDirs)
    .map((dir) => path.basename(dir))
  const names = projects.flatMap(({ displayName }) => (displayName ? [displayName.name] : []))
  const message = describeMistake(selection, { names, scenarios, env: process.env })
  if (message !== undefined) throw withoutStack(new Error(message))
}

/**
 * Splits the arguments of `jest` as Jest does: these two flags take every word up to the next flag.
 *
 * @param {readonly string[]} args
 * @returns {Selection}
 */
function splitArgs(args) {
  /** @type {Selection} */
  const selection = { select: [], ignore: [], rest: [] }
  /** @type {string[]} */
  let into = selection.rest
  for (const [i, arg] of args.entries()) {
    if (arg === '--') {
      selection.rest.push(...args.slice(i))
      break
    }
    const [, flag, value] = /^--(select|ignore)-?projects(?:=(.*))?$/i.exec(arg) ?? []
    if (flag !== undefined) {
      into = flag.toLowerCase() === 'select' ? selection.select : selection.ignore
      if (value !== undefined) into.push(value)
    } else if (arg.startsWith('-')) {
      into = selection.rest
      into.push(arg)
    } else into.push(arg)
  }
  return selection
}

/**
 * Says which words after the two flags are not projects, and gives the corrected command.
 *
 * @param {Selection} selection
 * @param {{ names: readonly string[], scenarios: readonly string[], env: NodeJS.ProcessEnv }} known
 * @returns {string | undefined} `undefined` when every word names a project
 */
function describeMistake({ select, ignore, rest }, { names, scenarios, env }) {
  const isKnown = (/** @type {string} */ word) => names.includes(word)
  const wrong = [...select, ...ignore].filter((word) => !isKnown(word))
  if (wrong.length === 0) return undefined
  const flag = select.every(isKnown) ? '--ignoreProjects' : '--selectProjects'
  const listed = wrong.map((word) => JSON.stringify(word)).join(', ')
  const none = wrong.length === 1 ? `${listed} is not one` : `these are not: ${listed}`
  const what = `${flag} reads every word after it as a project, and ${none} (projects: ${names.join(', ') || 'none has a displayName'}). No test was run.`
  const meant = [
    ...['RECORD', 'REFRESH'].flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : [])),
    'npx jest',
    ...wrong.map(shell.quoteWord),
    ...rest.map(shell.quoteWord),
    ...flagWith('--selectProjects', select.filter(isKnown)),
    ...flagWith('--ignoreProjects', ignore.filter(isKnown)),
  ].join(' ')
  const areScenarios = wrong.every((word) => scenarios.includes(path.basename(word)))
  const noun = wrong.length === 1 ? 'the scenario' : 'the scenarios'
  const why = areScenarios ? `To run ${noun} ${wrong.join(', ')}` : 'Put a pattern for test files before the flag'
  return `${what}\n${why}: ${meant}`
}

/** @param {string} flag @param {readonly string[]} words */
function flagWith(flag, words) {
  return words.length === 0 ? [] : [flag, ...words.map(shell.quoteWord)]
}

/** The display name of a project. @param {unknown} project an inline project of Jest's config, or a path */
function nameOf(project) {
  if (typeof project !== 'object' || project === null || !('displayName' in project)) return undefined
  const { displayName } = project
  return typeof displayName === 'object' && displayName !== null && 'name' in displayName
    ? displayName.name
    : displayName
}

/** Jest prints the stack of an error from a reporter. @param {Error} error */
function withoutStack(error) {
  error.stack = error.message
  return error
}

module.exports = { describeMistake, requireKnownProjects, splitArgs }
