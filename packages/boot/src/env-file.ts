import { existsSync } from 'node:fs'

/** Loads variables from a file, if it exists. A variable that is set already stays as it is. */
export function loadEnvFile(file: string): void {
  if (existsSync(file)) process.loadEnvFile(file)
}
