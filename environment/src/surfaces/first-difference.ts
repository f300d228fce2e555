/** The first difference of two texts of JSON lines. `line` counts from 0; a missing line is `undefined`. */
export interface Difference {
  line: number
  /** The field, such as `params.update.content.text`, or a note in brackets; empty when the complete lines differ. */
  path: string
  expected: unknown
  got: unknown
  /** How many lines differ, compared by position. */
  differing: number
}

/** Finds the first difference, or nothing when the texts are equal. */
export function firstDifference(expected: string, got: string): Difference | undefined {
  const expectedLines = toLines(expected)
  const gotLines = toLines(got)
  const length = Math.max(expectedLines.length, gotLines.length)
  const differing = Array.from({ length }, (_, i) => i).filter((i) => expectedLines[i] !== gotLines[i])
  const line = differing[0]
  if (line !== undefined)
    return { line, ...compareLines(expectedLines[line], gotLines[line]), differing: differing.length }
  if (expected === got) return undefined
  const [expectedEnd, gotEnd] = [expected, got].map((text) => (text.endsWith('\n') ? '\n' : ''))
  return { line: length - 1, path: '(line end)', expected: expectedEnd, got: gotEnd, differing: 1 }
}

type Field = Pick<Difference, 'path' | 'expected' | 'got'>

function compareLines(expected: string | undefined, got: string | undefined): Field {
  const [expectedValue, gotValue] = [parse(expected), parse(got)]
  // Different texts of the same JSON value.
  if (JSON.stringify(expectedValue) === JSON.stringify(gotValue)) return { path: '', expected, got }
  return firstField(expectedValue, gotValue, [])
}

function toLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function parse(line: string | undefined): unknown {
  if (line === undefined) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

/** The first field that differs, at any depth. If only the order of keys differs, the result says so. */
function firstField(expected: unknown, got: unknown, path: string[]): Field {
  if (isObject(expected) && isObject(got) && Array.isArray(expected) === Array.isArray(got)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(got)])]
    const key = keys.find((key) => JSON.stringify(expected[key]) !== JSON.stringify(got[key]))
    if (key !== undefined) return firstField(expected[key], got[key], [...path, key])
    return { path: [...path, '(order of keys)'].join('.'), expected: Object.keys(expected), got: Object.keys(got) }
  }
  return { path: path.join('.'), expected, got }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
