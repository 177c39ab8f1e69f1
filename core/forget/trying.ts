import type { Database } from '../database.ts'

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
