import { Console } from 'node:console'

/** Stdout carries JSON-RPC only: what a plugin logs goes to stderr. */
export function keepStdoutClean(): void {
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr })
}
