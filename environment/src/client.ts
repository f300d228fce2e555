export { Connection } from './run/connection.ts'
export { isRecord, Peer, type Response } from './run/peer.ts'
