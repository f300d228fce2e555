/** The file name of the transcript's golden. Plain CommonJS: the reporter imports it without a loader. */
const TRANSCRIPT = 'stdout.golden.jsonl'

module.exports = { TRANSCRIPT }
