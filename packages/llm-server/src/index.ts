export type { ServerAnswer } from './answer.ts'
export { parseScript } from './script.ts'
export type { LlmServer, LlmServerOptions } from './server.ts'
export { startLlmServer } from './server.ts'
