export { clientMethods } from './run/client-methods.ts'
export { Connection } from './run/connection.ts'
export { isRecord, Peer, type Response } from './run/peer.ts'
export { Permissions } from './run/permissions.ts'
