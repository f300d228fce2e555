/** The golden of the transcript. Plain CommonJS: the reporter looks for it, without a loader. */
const TRANSCRIPT = 'stdout.golden.jsonl'

module.exports = { TRANSCRIPT }
