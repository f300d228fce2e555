import { isRecord } from './message.ts'

/** What the client offers unless the scenario's `initialize` says otherwise: nothing. */
export const NO_CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }

/**
 * What `clientCapabilities` must hold, so that the agent may send a request (ACP, "Client Capabilities").
 *
 * @returns the path to a value that must be there and not `false`; `undefined` for a method that needs none
 */
export function capabilityFor(method: string, params: Record<string, unknown>): readonly string[] | undefined {
  if (method === 'fs/read_text_file') return ['fs', 'readTextFile']
  if (method === 'fs/write_text_file') return ['fs', 'writeTextFile']
  if (method.startsWith('terminal/')) return ['terminal']
  if (method === 'elicitation/create') return ['elicitation', params.mode === 'url' ? 'url' : 'form']
  return undefined
}

/** Whether the capabilities have a value at the path that is not `false` or `null`. */
export function isOffered(capabilities: unknown, path: readonly string[]): boolean {
  const value = path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), capabilities)
  return value !== undefined && value !== null && value !== false
}

/** The capabilities with which a path is offered, as JSON: `{"fs":{"readTextFile":true}}`. */
export function printCapability(path: readonly string[]): string {
  return JSON.stringify(path.reduceRight<unknown>((value, key) => ({ [key]: value }), true))
}
