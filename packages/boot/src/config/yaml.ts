import { CORE_SCHEMA, defineScalarTag, defineSequenceTag, load } from 'js-yaml'
import { ConfigError } from './config-error.ts'
import { Variable } from './variable.ts'

const variable = defineScalarTag('!env', { resolve: (name) => new Variable(name), identify: () => false })

const variableWithDefault = defineSequenceTag<string[], Variable>('!env', {
  create: () => [],
  addItem: (parts, item) => {
    if (typeof item !== 'string' || parts.length === 2) return '!env takes a name and a default, both strings'
    parts.push(item)
  },
  finalize: ([name = '', fallback]) => new Variable(name, fallback),
  identify: () => false,
})

const schema = CORE_SCHEMA.withTags(variable, variableWithDefault)

/** Parses YAML in which `!env` names environment variables. @throws ConfigError with file and line */
export function parseYaml(text: string, file: string): unknown {
  try {
    return load(text, { schema })
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`)
  }
}
