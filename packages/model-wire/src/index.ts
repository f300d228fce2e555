export { failureOf, gatherAnswer } from './answer.ts'
export type { Call, Wire } from './wire.ts'
export { routeRequest } from './wires/wires.ts'
