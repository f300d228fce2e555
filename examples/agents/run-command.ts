import { spawn } from 'node:child_process'

interface Ended {
  /** `null` if a signal ended it, or if it could not be started. */
  code: number | null
  /** Its stdout and stderr, in order. */
  output: string
}

/** Runs a command to its end. A stop sends it SIGTERM. */
export function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  stop: AbortSignal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGTERM')
  stop.addEventListener('abort', end)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message
    })
    child.on('close', (code) => {
      stop.removeEventListener('abort', end)
      resolve({ code, output })
    })
  })
}
