/** `kikimimi why`: what led to an answer or to silence. */
import { KikimimiError, type Trace } from 'kikimimi'
import { explained } from 'kikimimi/host'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import type { Session } from '../session.ts'

/** @throws USAGE if no turn has processed the message */
export async function runWhy(
  message: string | undefined,
  { config: file, channel, json }: CommonOptions & { readonly channel?: string | undefined },
  session: Session,
): Promise<void> {
  await using opened = await session.open(file)
  const { rows } = await opened.db.query<{ data: Trace; name: string | null }>(TRACES, [
    message ?? null,
    channel?.replace(/^#/, '') ?? null,
  ])
  if (rows.length === 0) {
    throw new KikimimiError(
      'USAGE',
      message === undefined
        ? 'There is no turn of the bot there yet.'
        : `No turn has processed a message "${message}". Without an id, kikimimi why shows the latest turns.`,
    )
  }
  const { print } = outputOf(json, session.stdout)
  for (const { data, name } of rows.toReversed()) {
    if (json) print(JSON.stringify(data))
    else for (const line of explained({ ...data, at: new Date(data.at) }, name ?? undefined)) print(line)
  }
}

/** The latest turns that processed, answered or sent a message, or that belong to a channel. */
const TRACES = `
  select t.data, c.name from kikimimi_v1.trace t left join kikimimi_v1.conversation c on c.id = t.conversation
  where ($1::text is null or t.turn = $1 or t.trigger = $1 or t.data->'messages' ? $1 or t.data->'sent' ? $1)
    and ($2::text is null or c.name = $2 or c.channel = $2)
  order by t.seq desc limit 10`
