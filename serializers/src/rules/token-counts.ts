import { isNumber, type Json, jsonNumber, mapShared, replaceValues, valueAt } from '../json.ts'

/**
 * The rule `token-counts`, off by default: a number becomes 0 if its key counts tokens (`inputTokens`, `total_tokens`) or
 * is a cost, and so do `used` and `size` of a `usage_update`. A limit (`maxTokens`) stays, and so does a tool's input.
 */
export function hideTokenCounts(json: Json): Json {
  return hide(json, '')
}

const COUNT = /(?:^t|T|_t)okens$|(?:^t|T|_t)oken(?:_c|C)ount$/
const LIMIT = /^(?:max|min|limit)|(?:_m|M)ax|(?:_l|L)imit|(?:_b|B)udget/
const COST = /(?:^c|C|_c)ost(?:_?(?:usd|Usd|USD))?$/
const ZERO = jsonNumber(0)

function hide(json: Json, parent: string): Json {
  if (json.kind === 'array') {
    const items = mapShared(json.items, (item) => hide(item, parent))
    return items === json.items ? json : { kind: 'array', items }
  }
  const kind = valueAt(json, 'sessionUpdate')
  const isUsage = kind?.kind === 'string' && kind.value === 'usage_update'
  return replaceValues(json, (key, value) => {
    if (key === 'rawInput') return undefined
    if (!isNumber(value)) return hide(value, key)
    const isCount = isUsage && (key === 'used' || key === 'size')
    return (isCount || isTokenCount(key, parent)) && value.raw !== ZERO.raw ? ZERO : undefined
  })
}

function isTokenCount(key: string, parent: string): boolean {
  if (key === 'amount') return COST.test(parent)
  return (COUNT.test(key) && !LIMIT.test(key)) || COST.test(key)
}
