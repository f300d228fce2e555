// Plain CommonJS: the reporter runs it without a loader.
const fs = require('node:fs')
const path = require('node:path')
const jestProjects = require('../command/projects.cjs')
const inputFile = require('../scenario/input-file.cjs')
const transcriptFile = require('../surfaces/transcript-file.cjs')

/**
 * Finds goldens whose scenario was deleted: files in a sibling directory of scenarios that ran, where an `input.json`
 * would be a test of the project but does not exist. A file of that name anywhere else is data.
 *
 * @param {import('@jest/reporters').TestContext} context
 * @param {readonly string[]} tests the `input.json` of each scenario of the project that ran
 */
function findObsolete({ hasteFS, config }, tests) {
  const scenarios = tests.map((test) => path.dirname(test))
  const roots = new Set(
    scenarios.map((dir) => path.dirname(dir)).filter((root) => !scenarios.some((dir) => isWithin(dir, root))),
  )
  return hasteFS.getAllFiles().filter((file) => {
    const dir = path.dirname(file)
    if (path.basename(file) !== transcriptFile.TRANSCRIPT || !roots.has(path.dirname(dir))) return false
    const input = path.join(dir, inputFile.INPUT)
    return jestProjects.isTestFile(config, input) && isGone(input)
  })
}

/**
 * Removes goldens.
 *
 * @param {readonly string[]} files
 * @returns {{ removed: string[], problems: string[] }} a file that no longer exists is in neither
 */
function removeObsolete(files) {
  /** @type {{ removed: string[], problems: string[] }} */
  const done = { removed: [], problems: [] }
  for (const file of files) {
    try {
      fs.unlinkSync(file)
      done.removed.push(file)
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code !== 'ENOENT') done.problems.push(message)
    }
  }
  return done
}

/** @param {string} dir @param {string} file */
function isWithin(dir, file) {
  return file === dir || file.startsWith(dir + path.sep)
}

/** Whether nothing exists at a path. A dangling link and an inaccessible file exist. @param {string} file */
function isGone(file) {
  try {
    fs.lstatSync(file)
    return false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT'
  }
}

module.exports = { findObsolete, removeObsolete }
