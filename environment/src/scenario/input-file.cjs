/** The script of a scenario, which is Jest's test file. Plain CommonJS: the reporter looks for it, without a loader. */
const INPUT = 'input.json'

module.exports = { INPUT }
