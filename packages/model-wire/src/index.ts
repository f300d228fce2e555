export { failureOf, gatherAnswer } from './answer.ts'
export type { Wire } from './wire.ts'
export { routeRequest } from './wires/wires.ts'
