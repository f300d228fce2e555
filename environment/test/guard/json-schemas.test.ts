import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchemas } from '../../src/guard/json-schemas.ts'

test.each([...jsonSchemas()])('the committed %s is up to date (to update it: npm run schema)', (file, text) => {
  expect(readFileSync(join(__dirname, '../../schema', file), 'utf8')).toBe(text)
})

test('the schema describes each op for editors', () => {
  expect(jsonSchemas().get('input.schema.json')).toContain('Sends session/prompt, and waits until its turn ends.')
})

test('the schema requires exactly one of text and content', () => {
  expect(JSON.parse(jsonSchemas().get('input.schema.json') ?? '')).toHaveProperty(
    'properties.steps.items.oneOf.5.oneOf',
    [{ required: ['text'] }, { required: ['content'] }],
  )
})
