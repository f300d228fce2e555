// Plain CommonJS, because the reporter runs it as it is, without a loader.
const path = require('node:path')
const actions = require('../action.cjs')
const inputFile = require('../scenario/input-file.cjs')
const jestProjects = require('./projects.cjs')
const selection = require('./selection.cjs')

/**
 * The announcement before a recording begins, since each recorded scenario calls the real model.
 *
 * @param {import('@jest/types').Config.GlobalConfig} config
 * @returns {Promise<string | undefined>} `undefined` when nothing is recorded, or the recording is refused
 */
async function announceRecording(config) {
  const asked = actions.askedAction(process.env, config)
  if (!('action' in asked) || asked.action !== 'record') return undefined
  const { select, ignore } = selection.splitArgs(process.argv.slice(2))
  const projects = await jestProjects.readProjects()
  if (!projects) return undefined
  const dirs = projects
    .filter(({ displayName }) => select.length === 0 || select.includes(displayName?.name ?? ''))
    .filter(({ displayName }) => !ignore.includes(displayName?.name ?? ''))
    .filter(jestProjects.isAcp)
    .flatMap((project) => {
      const patterns = config.testPathPatterns.toExecutor({ rootDir: project.rootDir })
      return jestProjects.scenarioDirs(project).filter((dir) => patterns.isMatch(path.join(dir, inputFile.INPUT)))
    })
  const recorded = dirs.filter((dir) => actions.actionFor('record', dir) === 'record').length
  const noun = recorded === 1 ? 'scenario' : 'scenarios'
  const overridden = dirs.length - recorded
  const rest =
    overridden === 0 ? '' : `; ${overridden} more ${overridden === 1 ? 'is' : 'are'} overridden, and only compared`
  return `RECORD=1: recording up to ${recorded} ${noun} with the real model${rest}`
}

module.exports = { announceRecording }
