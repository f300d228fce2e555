export { parseScript } from './parse-script.ts'
export type { LlmServer, LlmServerOptions } from './server.ts'
export { startLlmServer } from './server.ts'
export type { ServerAnswer } from './server-answer.ts'
