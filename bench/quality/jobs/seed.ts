/** What the bot has besides the talk in one channel: facts, thousands of other channels, and what those cost. */
import type { Database } from 'kikimimi'
import { fill as fillFacts } from '../recall/scale.ts'

export interface Past {
  readonly channels: number
  readonly facts: number
}

export async function seed(db: Database, { channels, facts }: Past): Promise<void> {
  await fillFacts(db, facts)
  await db.query(CHANNELS, [channels - 1])
  await db.query(FIRST_WORDS, [channels - 1])
  await db.query(
    `update kikimimi.conversation c set processed = m.seq
     from (select conversation, max(seq) as seq from kikimimi.message group by 1) m where m.conversation = c.id`,
  )
  await db.query(COSTS)
  // Their first words are old news.
  await db.query(
    `insert into kikimimi.follower (name, began, seq) select name, 0, max(seq) from unnest(array['facts', 'profiles', 'memory-summary', 'memory-summary-threads']) name, kikimimi.message
     group by name on conflict (name) do update set seq = excluded.seq`,
  )
  await db.query('vacuum analyze')
}

const CHANNELS = `
  insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
  select 'irc/ubuntu/c' || n, 'irc', 'ubuntu', 'c' || n, 'channel-' || n, 'public' from generate_series(1, $1::int) n`

/** Each channel has a message of the last days. */
const FIRST_WORDS = `
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, reactions, at, received_at)
  select 'irc/ubuntu/c' || n, 'irc/ubuntu/c' || n, 'first-' || n, 'u' || n % 2000, 'name-' || n % 2000, false, false, false, 'hello from channel ' || n,
    '[]', '[]', '[]', at, at
  from (select n, now() - interval '9 days' + n * interval '1 minute' as at from generate_series(1, $1::int) n) made`

/** A little in each hour of eight days, in twenty channels. */
const COSTS = `
  insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  select hour, 'irc/ubuntu/c' || n, 'chat', 'reply', 'large', 1, 0, 1200, 20, 900, 0.0026
  from generate_series(date_trunc('hour', now(), 'UTC') - interval '8 days', now(), interval '2 hours') hour, generate_series(1, 20) n`
