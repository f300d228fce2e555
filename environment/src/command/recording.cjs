// Plain CommonJS, because the reporter runs it as it is, without a loader.
const authoring = require('../record/authored.cjs')
const jestProjects = require('./projects.cjs')
const selection = require('./selection.cjs')
const path = require('node:path')

/**
 * The announcement before a recording begins, since each recorded scenario calls the real model.
 *
 * @param {import('@jest/types').Config.GlobalConfig} config
 * @returns {Promise<string | undefined>} `undefined` when nothing is recorded, or the recording is refused
 */
async function announceRecording({ ci, watch, watchAll, testPathPatterns }) {
  const { RECORD = '', REFRESH = '' } = process.env
  if (['', '0'].includes(RECORD) || !['', '0'].includes(REFRESH) || ci || watch || watchAll) return undefined
  const { select, ignore } = selection.splitArgs(process.argv.slice(2))
  const projects = await jestProjects.readProjects()
  if (!projects) return undefined
  const dirs = projects
    .filter(({ displayName }) => select.length === 0 || select.includes(displayName?.name ?? ''))
    .filter(({ displayName }) => !ignore.includes(displayName?.name ?? ''))
    .filter(jestProjects.isAcp)
    .flatMap((project) => {
      const patterns = testPathPatterns.toExecutor({ rootDir: project.rootDir })
      const { sessionLogs = true } = /** @type {{ sessionLogs?: boolean }} */ (project.testEnvironmentOptions.acp)
      const found = jestProjects.scenarioDirs(project).filter((dir) => patterns.isMatch(path.join(dir, 'input.json')))
      return found.map((dir) => ({ dir, sessionLogs }))
    })
  const recorded = dirs.filter(({ dir, sessionLogs }) => authoring.whyAuthored(dir, sessionLogs) === undefined).length
  const noun = recorded === 1 ? 'scenario' : 'scenarios'
  const authored = dirs.length - recorded
  const rest = authored === 0 ? '' : `; ${authored} more ${authored === 1 ? 'is' : 'are'} authored, and replayed`
  return `RECORD=1: recording up to ${recorded} ${noun} with the real model${rest}`
}

module.exports = { announceRecording }
