/** The first difference of two values. A missing value is `undefined`. */
export interface DifferingField {
  /** For example `messages[2].content[0].text`. */
  path: string
  expected: unknown
  got: unknown
}

/** Finds the first field in which two JSON values differ. A key with the value `undefined` counts as missing. */
export function differingField(expected: unknown, got: unknown, path = ''): DifferingField | undefined {
  if (Object.is(expected, got)) return undefined
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length)
    const fields = Array.from({ length }, (_, i) => [expected[i], got[i], `${path}[${i}]`] as const)
    return firstOf(fields)
  }
  if (isRecord(expected) && isRecord(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])]
    return firstOf(
      keys.map((key) => [own(expected, key), own(got, key), path === '' ? key : `${path}.${key}`] as const),
    )
  }
  return { path, expected, got }
}

/** Describes a difference: the path and both values, shortened. */
export function describeDifference({ path, expected, got }: DifferingField): string {
  return `${path}: expected ${short(expected)}, got ${short(got)}`
}

function firstOf(fields: readonly (readonly [unknown, unknown, string])[]): DifferingField | undefined {
  for (const [expected, got, path] of fields) {
    const found = differingField(expected, got, path)
    if (found) return found
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function short(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
