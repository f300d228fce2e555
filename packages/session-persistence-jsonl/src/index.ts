import type { SessionPersistence } from '@acp-snapshot/agent'
import type { SessionHeader } from '@acp-snapshot/session'
import { type Context, Service } from 'cordis'
import * as z from 'zod'
import { createLog, listLogs, openLog } from './store.ts'

export const name = 'session-persistence-jsonl'

/** `root`: the directory for the logs, one file per session. It is created with the first session. */
export const Config = z.strictObject({ root: z.string().min(1) })

export function apply(ctx: Context, { root }: z.infer<typeof Config>): void {
  new JsonlPersistence(ctx, root)
}

class JsonlPersistence extends Service implements SessionPersistence {
  readonly root: string

  constructor(ctx: Context, root: string) {
    super(ctx, 'sessionPersistence')
    this.root = root
  }

  create(header: SessionHeader) {
    return createLog(this.root, header)
  }

  open(id: string) {
    return openLog(this.root, id)
  }

  list() {
    return listLogs(this.root)
  }
}
