import * as z from 'zod'
import { overrideSchema } from '../logs/override.ts'
import { inputSchema } from '../scenario/input/input-schema.ts'

/**
 * The published JSON Schemas, by file name in `environment/schema/`. Editors use them for completion and validation.
 * They are generated from the schemas that the guard uses.
 */
export function jsonSchemas(): ReadonlyMap<string, string> {
  return new Map([
    ['input.schema.json', print(z.toJSONSchema(inputSchema, { io: 'input' }), 'input.json of a scenario')],
    [
      'override.schema.json',
      print(z.toJSONSchema(overrideSchema, { io: 'input', reused: 'ref' }), 'replay.override.json of a scenario'),
    ],
  ])
}

function print({ $schema, ...schema }: z.core.JSONSchema.BaseSchema, title: string): string {
  return `${inlineLists(JSON.stringify({ $schema, title, ...schema }, null, 2))}\n`
}

/** Puts lists of plain values on one line, like the repository's formatter. */
function inlineLists(json: string): string {
  return json.replace(/\[\s+([^[\]{}]+?)\s+\]/g, (_, items: string) => `[${items.replace(/\s*\n\s*/g, ' ')}]`)
}
