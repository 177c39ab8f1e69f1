/** What whoever makes something of the message log in the background heeds while somebody is being forgotten. */
import type { Database } from '../../api/index.ts'

/**
 * Whether somebody is being forgotten on the platform of a conversation this very moment. Who makes something of the message
 * log in the background waits: the plugin has forgotten already, and the log still has their name in the words of others.
 */
export async function isForgetting(db: Database, conversation: string): Promise<boolean> {
  const { rows } = await db.query<{ platform: string }>(
    'select platform from kikimimi.forgetting where trying and cleared_at is null',
  )
  return rows.some(({ platform }) => conversation.startsWith(`${encodeURIComponent(platform)}/`))
}

/** SQL: the log's message `m` is of nobody who is being forgotten. The log is cleared last, and still has it. */
export function notForgotten(m: string): string {
  return `not exists (
        select 1 from kikimimi.forgetting g join kikimimi.conversation gc on gc.platform = g.platform
        where gc.id = ${m}.conversation and g.person = ${m}.author_id and ${m}.received_at <= g.before
      )`
}
