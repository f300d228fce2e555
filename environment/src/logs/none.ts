import type { LogFormat } from './log-format.ts'

/** The format of an agent that persists no session logs: none is searched for, compared or written. */
export const noLogs: LogFormat = {
  exists: false,
  extension: 'jsonl',
  isLog: () => false,
  parse: () => ({ told: [], holdsModel: false }),
  hasEvents: () => false,
  normalize: () => [],
}
