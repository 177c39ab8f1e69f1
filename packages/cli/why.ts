/** `kikimimi why`: what led to an answer, or to silence. */
import { KikimimiError, type Trace } from 'kikimimi'
import { explained } from 'kikimimi/host'
import type { Values } from './args.ts'
import { openFor } from './open.ts'
import { outputOf } from './plugin-command.ts'

/** Throws USAGE for a message that no turn has seen. */
export async function runWhy(message: string | undefined, { config: file, channel, json }: Values): Promise<void> {
  await using opened = await openFor(file)
  const { rows } = await opened.db.query<{ data: Trace; name: string | null }>(TRACES, [
    message ?? null,
    channel?.replace(/^#/, '') ?? null,
  ])
  if (rows.length === 0) {
    throw new KikimimiError(
      'USAGE',
      message === undefined
        ? 'The bot has not looked at anything there yet.'
        : `No turn has seen a message "${message}". Without an id, kikimimi why tells of the latest turns.`,
    )
  }
  const { print } = outputOf(json)
  for (const { data, name } of rows.toReversed()) {
    if (json) print(JSON.stringify(data))
    else for (const line of explained({ ...data, at: new Date(data.at) }, name ?? undefined)) print(line)
  }
}

/** The latest turns that looked at a message, answered it or sent it; or that took place in a channel. */
const TRACES = `
  select t.data, c.name from kikimimi_v1.trace t left join kikimimi_v1.conversation c on c.id = t.conversation
  where ($1::text is null or t.turn = $1 or t.trigger = $1 or t.data->'messages' ? $1 or t.data->'sent' ? $1)
    and ($2::text is null or c.name = $2 or c.channel = $2)
  order by t.seq desc limit 10`
