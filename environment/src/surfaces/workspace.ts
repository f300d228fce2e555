import type { Surface } from './surface.ts'

export const workspace: Surface<undefined> = {
  title: 'workspace',
  files: { label: 'workspace.golden/', has: () => false },
  writtenBy: [],
  createdWhenMissing: false,
  check() {},
  collect: () => undefined,
  print: () => new Map(),
  compare: () => undefined,
}
