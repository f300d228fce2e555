/** Jest may load this module several times in one process, which needs it once. */
const SLOT = Symbol.for('jest-environment-acp.worker-exit')
const host: NodeJS.Process & { [SLOT]?: true } = process

/**
 * Ends a worker of Jest as soon as it has nothing left to do. By itself, Node takes its heap apart first, and on a busy
 * machine that lasts longer than the 500 ms after which Jest kills a worker and prints a warning.
 */
export function exitPromptly(): void {
  if (host[SLOT] || !process.send) return
  host[SLOT] = true
  process.once('beforeExit', () => process.exit())
}
