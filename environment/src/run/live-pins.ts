import { type EventOf, isEvent, type ParsedLog } from '@acp-snapshot/session'
import { normalizeText, type Volatile } from 'jest-serializer-acp'

/** What the model is told besides the history, as the golden files of the scenario that pins it hold it. */
interface Pin {
  /** The text of `system-prompt.golden.md`: empty when there is no system prompt. */
  system: string
  /** The text of `tool-schemas.golden.json`: `null` when there are no tools. */
  tools: string
}

/** A request header that a run logged, and where. */
export interface LivePin extends Pin {
  /** As in `session 0, seq 3`. */
  place: string
}

/** Every request header that a run logged, in order, with its volatile paths as tokens. */
export function livePins(logs: readonly ParsedLog[], volatile: Volatile): LivePin[] {
  return logs.flatMap(({ events }, session) =>
    events
      .filter((event): event is EventOf<'request/header'> => isEvent(event, 'request/header'))
      .map(({ seq, data: { header } }) => ({
        place: `session ${session}, seq ${seq}`,
        system: header.system === undefined ? '' : `${normalizeText(header.system, volatile)}\n`,
        tools: normalizeText(`${JSON.stringify(header.tools ?? null, null, 2)}\n`, volatile),
      })),
  )
}
