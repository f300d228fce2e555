#!/usr/bin/env node
// The `llm-server` command.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type LlmServer, parseScript, startLlmServer } from './index.ts'

const HELP = `A model API on 127.0.0.1 that answers from a script. It stands in for the provider while you record a scenario.

Usage: llm-server [options]

Options:
  --script FILE     a JSON array with one answer for each request; without it, every answer is PONG
  --repeat          start the script again when it is used up
  --port N          listen on port N; without it, on a free port
  --seed N          the seed for the places where a text is cut into deltas (default: 1)
  --packet-bytes N  cut the stream into packets of at most N bytes; without it, one packet for each event
  --delay-ms N      wait up to N ms before each packet (default: 0)
  -h, --help        show this help

The first line of the output is the URL: "llm-server http://127.0.0.1:PORT". Ctrl-C stops the server.

The path of a request picks its API, with any prefix:
  POST /chat/completions                OpenAI's chat completions, as DeepSeek has them
  POST /responses                       OpenAI's Responses
  POST /messages                        Anthropic's messages
  POST /models/NAME:generateContent     Gemini, and :streamGenerateContent?alt=sse
Questions about models and numbers of tokens have fixed answers. stderr has one line for each request that is refused.

Agents ask for a title or a summary beside the turn. "when" keeps an answer for the calls that contain a text:
  [{"when": {"contains": "Generate a title"}, "times": "any", "answer": "A title"}, "Hello."]

Example:
  echo '["Hello.", {"fault": "status", "status": 429}]' > script.json
  llm-server --script script.json --port 8123
  DEEPSEEK_BASE_URL=http://127.0.0.1:8123 DEEPSEEK_API_KEY=any RECORD=1 npx jest --selectProjects snapshot

packages/llm-server/README.md lists all answers and faults.`

try {
  const { values } = parseArgs({
    options: {
      script: { type: 'string' },
      repeat: { type: 'boolean' },
      port: { type: 'string' },
      seed: { type: 'string' },
      'delay-ms': { type: 'string' },
      'packet-bytes': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) console.log(HELP)
  else await serve(values)
} catch (error) {
  console.error(
    `llm-server: ${error instanceof Error ? error.message : error}\nRun "llm-server --help" for the options.`,
  )
  process.exitCode = 2
}

interface Flags {
  script?: string | undefined
  repeat?: boolean | undefined
  port?: string | undefined
  seed?: string | undefined
  'delay-ms'?: string | undefined
  'packet-bytes'?: string | undefined
}

async function serve(values: Flags): Promise<void> {
  const server = await startLlmServer({
    script: values.script === undefined ? ['PONG'] : parseScript(readFileSync(values.script, 'utf8'), values.script),
    repeat: values.repeat ?? values.script === undefined,
    port: natural('port', values.port),
    seed: natural('seed', values.seed),
    delayMs: natural('delay-ms', values['delay-ms']),
    packetBytes: natural('packet-bytes', values['packet-bytes']),
    warn: console.error,
  })
  console.log(`llm-server ${server.url}`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(server))
}

function stop(server: LlmServer): Promise<void> {
  const { untaken } = server
  if (untaken.length > 0) {
    console.error(`llm-server: no call took these answers of the script: ${untaken.join(', ')} (counted from 0)`)
  }
  return server.close()
}

function natural(flag: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new Error(`--${flag}: expected a whole number, got ${JSON.stringify(text)}`)
}
