// `npm run schema`: writes the JSON Schemas again, from the schemas that the guard uses.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
require('esbuild-register')
const { jsonSchemas } = require('../src/guard/json-schemas.ts')
for (const [name, text] of jsonSchemas()) {
  writeFileSync(new URL(`../schema/${name}`, import.meta.url), text)
  console.log(`wrote environment/schema/${name}`)
}
