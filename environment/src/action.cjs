// Plain CommonJS, because the reporter runs it as it is, without a loader.
const path = require('node:path')
const files = require('./io/plain-file.cjs')
const inputFile = require('./scenario/input-file.cjs')

/**
 * What a run may do to its scenario's fixture. `verify` compares, `update` (`jest -u`) writes the transcript, `refresh` and
 * `record` write every surface: `refresh` keeps the model's part of the fixture, `record` asks the real model.
 *
 * @typedef {'verify' | 'update' | 'refresh' | 'record'} Action
 */

/**
 * The action that the environment and Jest's flags ask for.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {Pick<import('@jest/types').Config.GlobalConfig, 'ci' | 'watch' | 'watchAll' | 'updateSnapshot'>} config
 * @returns {{ action: Action } | { problem: string }} a problem, in one line, where the action is refused: under `--ci`
 * nothing is written, and under watch what is written would start the next run
 */
function askedAction({ RECORD, REFRESH }, { ci, watch, watchAll, updateSnapshot }) {
  if (!isOn(RECORD) && !isOn(REFRESH)) return { action: updateSnapshot === 'all' ? 'update' : 'verify' }
  if (isOn(RECORD) && isOn(REFRESH)) return { problem: 'RECORD=1 and REFRESH=1 cannot be combined; set only one' }
  const flag = isOn(RECORD) ? 'RECORD=1' : 'REFRESH=1'
  if (ci)
    return { problem: `${flag} is refused under --ci (or CI=true): it rewrites fixtures. Run it by hand, and commit` }
  if (watch || watchAll) return { problem: `${flag} is refused under watch: what it writes would start the next run` }
  return { action: isOn(RECORD) ? 'record' : 'refresh' }
}

/**
 * What a run does to one scenario. One whose model was written by hand (`"overridden": true`) is never recorded.
 *
 * @param {Action} asked
 * @param {string} dir the scenario's directory. What is wrong with its `input.json` is the guard's to say
 * @returns {Action}
 */
function actionFor(asked, dir) {
  return asked === 'record' && isOverridden(dir) ? 'verify' : asked
}

/** @param {string | undefined} value */
function isOn(value) {
  return value !== undefined && value !== '' && value !== '0'
}

/** @param {string} dir */
function isOverridden(dir) {
  try {
    const input = JSON.parse(files.readPlainFile(path.join(dir, inputFile.INPUT)))
    return typeof input === 'object' && input !== null && input.overridden === true
  } catch {
    return false
  }
}

module.exports = { actionFor, askedAction }
