import { type Json, jsonString, replaceValues, valueAt } from '../json.ts'
import { token } from '../tokens.ts'

/** The rule `agent-version`, off by default: the agent's version in its answer to `initialize`. */
export function hideAgentVersion(frame: Json): Json {
  if (valueAt(frame, 'method')) return frame
  return replaceValues(frame, (key, result) => {
    if (key !== 'result' || !valueAt(result, 'protocolVersion')) return undefined
    return replaceValues(result, (key, info) => {
      if (key !== 'agentInfo') return undefined
      return replaceValues(info, (key, version) =>
        key === 'version' && version.kind === 'string' ? jsonString(token('agentVersion')) : undefined,
      )
    })
  })
}
