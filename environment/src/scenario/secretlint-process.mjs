// Searches texts with secretlint's recommended rules, which are ES modules and asynchronous: matchers are neither.
// stdin holds the texts, as a JSON array; stdout gets the places of what was found, and never what stands there.
import { readFileSync, writeFileSync } from 'node:fs'
import { lintSource } from '@secretlint/core'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'

/** Rules that are left out. */
const LEFT_OUT = new Set([
  // A comment in a recorded text would switch the search off.
  '@secretlint/secretlint-rule-filter-comments',
  // Our own shapes find the same, and let placeholders (`postgres:postgres@`) and words (`xoxo-…`) through.
  '@secretlint/secretlint-rule-basicauth',
  '@secretlint/secretlint-rule-database-connection-string',
  '@secretlint/secretlint-rule-slack',
])

const config = {
  rules: rules.filter(({ meta }) => !LEFT_OUT.has(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
}

/** @type {string[]} */
const texts = JSON.parse(readFileSync(0, 'utf8'))
const finds = []
for (const [text, content] of texts.entries()) {
  const source = { content, filePath: 'fixture.txt', ext: '.txt', contentType: /** @type {const} */ ('text') }
  const { messages } = await lintSource({ source, options: { config, maskSecrets: true, noPhysicFilePath: true } })
  for (const { type, range, ruleId, messageId } of messages) {
    const [start, end] = range
    if (type === 'message') finds.push({ text, start, end, rule: `${ruleId.split('-rule-').at(-1)}/${messageId}` })
  }
}
writeFileSync(1, JSON.stringify(finds))
