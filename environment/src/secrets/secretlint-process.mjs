// Searches texts with secretlint's recommended rules, in a process of its own: the rules are asynchronous ES modules, and
// Jest matchers are synchronous CommonJS. stdin: a JSON array of texts. stdout: the positions of the finds, never their text.
import { readFileSync, writeFileSync } from 'node:fs'
import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'

const LEFT_OUT = new Set([
  // A comment in a recorded text would switch the search off.
  '@secretlint/secretlint-rule-filter-comments',
  // Our own shapes find the same, but accept placeholders (`postgres:postgres@`) and words (`xoxo-…`).
  '@secretlint/secretlint-rule-basicauth',
  '@secretlint/secretlint-rule-database-connection-string',
  '@secretlint/secretlint-rule-slack',
])

const config = {
  rules: rules.filter(({ meta }) => !LEFT_OUT.has(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
}

/** @type {string[]} */
const texts = JSON.parse(readFileSync(0, 'utf8'))
// One search for all texts, because each call of secretlint costs time.
const BETWEEN = '\n\n'
/** @type {number[]} */
const starts = []
let length = 0
for (const text of texts) {
  starts.push(length)
  length += text.length + BETWEEN.length
}
const content = texts.join(BETWEEN)
const source = { content, filePath: 'fixture.txt', ext: '.txt', contentType: /** @type {const} */ ('text') }
const { messages } = await lintSource({ source, options: { config, maskSecrets: true, noPhysicFilePath: true } })
const finds = messages.flatMap(({ type, range: [from, to], ruleId, messageId }) => {
  const text = starts.findLastIndex((start) => start <= from)
  const [start, end] = [from, to].map((at) => Math.min(at - (starts[text] ?? 0), texts[text]?.length ?? 0))
  return type === 'message' ? [{ text, start, end, rule: `${ruleId.split('-rule-').at(-1)}/${messageId}` }] : []
})
writeFileSync(1, JSON.stringify(finds))
