/** What a vendor's own client reads in an answer. */
interface Answer {
  text: string
  reasoning: string
  /** Arguments are parsed: some clients give an object, others a text. */
  calls: { id: string; name: string; arguments: unknown }[]
  tokens: { input: number; output: number }
  /** In the words of the API. */
  finish: string | null | undefined
}

/** One API, called through its vendor's own client. */
export interface Client {
  name: string
  /** Asks `Hello`. The client does not retry. */
  ask(url: string, options: { stream: boolean; signal?: AbortSignal }): Promise<Answer>
  /** The name of the model `m`, as a look-up says it. */
  findModel(url: string): Promise<string | undefined>
  /** The words of the API for an answer that ends, and for one that ends with tool calls. */
  finishes: { stop: string; calls: string }
}
