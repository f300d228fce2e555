import { join } from 'node:path'
import { parseOptions } from '../environment/src/options.ts'
import { acp } from '../examples/acp-agent/snapshot-options.ts'

/** The options with which the `snapshot` project starts the example agent. */
export const agentOptions = parseOptions(acp, join(__dirname, '..'))
