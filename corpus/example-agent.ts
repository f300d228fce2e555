import { join } from 'node:path'
import { acp } from 'acp-agent-example/snapshot-options'
import { parseOptions } from 'jest-environment-acp/run'

/** The options with which the `snapshot` project starts the example agent. */
export const agentOptions = parseOptions(acp, join(__dirname, '..'))
