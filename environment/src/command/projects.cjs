// Plain CommonJS, because the reporter runs it as it is, without a loader.
const fs = require('node:fs')
const nodeModule = require('node:module')
const path = require('node:path')
const jestUtil = require('jest-util')
const inputFile = require('../scenario/input-file.cjs')

/** @typedef {import('@jest/types').Config.ProjectConfig} ProjectConfig */

/** @type {Promise<ProjectConfig[]> | undefined} */
let reading

/**
 * Every project of Jest's config, also those that the command does not select. Jest does not expose these, so this reads
 * the config again with Jest's own modules.
 *
 * @returns {Promise<ProjectConfig[] | undefined>} `undefined` when this process is not the `jest` command, but a worker
 */
async function readProjects() {
  const command = require.main?.filename
  if (command === undefined || !/[\\/]jest(-cli)?[\\/]bin[\\/]jest\.js$/.test(command)) return undefined
  reading ??= read(command)
  return reading
}

/** @param {string} command @returns {Promise<ProjectConfig[]>} */
async function read(command) {
  const argv = await require(nodeModule.createRequire(command).resolve('jest-cli')).buildArgv()
  return readConfigs(command, argv, argv.projects?.length ? argv.projects : [process.cwd()])
}

/**
 * Every project of a Jest config, read with the modules of the Jest that is installed there.
 *
 * @param {string} command the path of that Jest's command
 * @param {import('@jest/types').Config.Argv} argv
 * @param {string[]} dirs where Jest looks for a config
 * @returns {Promise<ProjectConfig[]>}
 */
async function readConfigs(command, argv, dirs) {
  const cli = nodeModule.createRequire(command).resolve('jest-cli')
  const { configs } = await require(nodeModule.createRequire(cli).resolve('jest-config')).readConfigs(argv, dirs)
  return configs
}

/** Whether a project's tests are scenarios. @param {ProjectConfig} config */
function isAcp({ testEnvironmentOptions }) {
  return 'acp' in testEnvironmentOptions
}

/** The directory that contains every match of a glob. @param {string} glob */
function baseOf(glob) {
  const special = glob.search(/[*?[\]{}()!+@]/)
  return path.dirname(special === -1 ? glob : `${glob.slice(0, special)}x`)
}

/**
 * The directories of a project's scenarios, as `testMatch` finds them.
 *
 * @param {ProjectConfig} config
 * @returns {string[]}
 */
function scenarioDirs(config) {
  const files = [...new Set(config.testMatch.map(baseOf))].flatMap(findInputs)
  return [...new Set(files)].filter((file) => isTestFile(config, file)).map((file) => path.dirname(file))
}

/** Whether a path is a test file of the project. @param {Pick<ProjectConfig, 'testMatch' | 'testRegex' | 'testPathIgnorePatterns'>} config @param {string} file */
function isTestFile({ testMatch, testRegex, testPathIgnorePatterns }, file) {
  if (testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(file))) return false
  if (testRegex.length > 0) return testRegex.some((pattern) => new RegExp(pattern).test(file))
  return jestUtil.globsToMatcher(testMatch)(jestUtil.replacePathSepForGlob(file))
}

/** @param {string} dir @returns {string[]} */
function findInputs(dir) {
  if (!fs.existsSync(dir)) return []
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(dir, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : findInputs(file)
    return entry.name === inputFile.INPUT ? [file] : []
  })
}

module.exports = { isAcp, isTestFile, readConfigs, readProjects, scenarioDirs }
