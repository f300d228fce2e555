/** Reads the first `length` characters of a body; an ellipsis stands for the rest. A cut body is read as far as it came. */
export async function readStart(response: Response, length: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const packet of response.body ?? []) {
      text += decoder.decode(packet, { stream: true })
      if (text.length > length) return `${text.slice(0, length)}…`
    }
  } catch {
    // What came says more than the cut.
  }
  return text
}
