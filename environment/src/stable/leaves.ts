import { pointerOf } from 'jest-serializer-acp'

/** A string, number, boolean or null in a normalised frame. */
export interface Leaf {
  readonly pointer: string
  /** The last key of the pointer. */
  readonly key: string
  readonly value: unknown
}

/** A frame without the values that may change: two frames of one shape differ only in leaves. */
export function shapeOf(frame: string): string {
  const kind = kindOf(frame)
  return JSON.stringify([kind, leavesOf(frame).map(({ pointer }) => pointer)])
}

/** The leaves of a frame, in order. */
export function leavesOf(frame: string): Leaf[] {
  return visit(JSON.parse(frame), '', '')
}

/** What tells frames apart: the method, the kind of an update, or that it is a response. */
export function kindOf(frame: string): string {
  const { method, params } = record(JSON.parse(frame))
  const { sessionUpdate } = record(record(params).update)
  if (typeof sessionUpdate === 'string') return sessionUpdate
  return typeof method === 'string' ? method : 'response'
}

function visit(value: unknown, pointer: string, key: string): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ pointer, key, value }]
  const children = Object.entries(value).flatMap(([name, child]) => visit(child, pointer + pointerOf([name]), name))
  return children.length === 0 ? [{ pointer, key, value: JSON.stringify(value) }] : children
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
