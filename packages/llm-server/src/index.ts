export { parseScript } from './parse-script.ts'
export type { LlmServer, LlmServerOptions } from './server.ts'
export { startLlmServer } from './server.ts'
export type { ScriptAnswer, ServerAnswer } from './server-answer.ts'
