/** Prints a server-sent event without a name. */
export function printData(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** Prints a server-sent event that repeats the `type` of its data as its name. */
export function printTyped(data: { type: string }): string {
  return `event: ${data.type}\n${printData(data)}`
}
