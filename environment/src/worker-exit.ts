/** Jest may load this module several times in one process, which needs one listener. */
const SLOT = Symbol.for('jest-environment-acp.worker-exit')
const host: NodeJS.Process & { [SLOT]?: true } = process

/**
 * Ends a Jest worker as soon as it is idle. Otherwise Node frees its heap first, and on a busy machine this takes longer
 * than the 500 ms after which Jest kills a worker and prints a warning.
 */
export function exitPromptly(): void {
  if (host[SLOT] || !process.send) return
  host[SLOT] = true
  process.once('beforeExit', () => process.exit())
}
