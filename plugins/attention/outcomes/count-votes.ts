/**
 * Counts what people say about recorded decisions, and deletes what has to be deleted of it. For a plugin whose schema has the tables
 * `outcome` and `vote` as in the migration of attention. Columns: of `outcome` turn, conversation, channel, message, author, at, spoke,
 * sent and counted_at, of `vote` turn, person, message and value. A decision whose `spoke` is null is not counted.
 */
import { conversationParts, type DueBy, type PersonaPlace, type PersonKey, type PluginContext, runWhenDue } from 'kikimimi'
import { talkAround } from './talk.ts'
import { type Candidate, votesOn, WITHIN_MS } from './votes.ts'

/** Number of outcomes that one run counts. */
const COUNTED = 100

interface Row extends Candidate {
  readonly turn: string
  readonly conversation: string
  readonly channel: string
}

export interface VoteCounting {
  /** Tells that a decision of this time was recorded. */
  recorded(at: Date): Promise<void>
  /** Deletes the decisions about messages of the person, and the person's votes. `before`: later data stays. */
  forget(person: PersonKey, before: Date): Promise<void>
}

/**
 * Call it in `setup`.
 *
 * @param schema the schema of the plugin
 * @param onCounted runs after decisions were counted, with the ids of their channels
 */
export function countVotes(
  ctx: Pick<PluginContext, 'bot' | 'db' | 'clock' | 'use' | 'every' | 'job'>,
  schema: 'attention' | 'judge_llm',
  onCounted?: (channels: ReadonlySet<string>, signal: AbortSignal) => Promise<void>,
): VoteCounting {
  const { db, clock } = ctx
  const due = (at: Date) => new Date(at.getTime() + WITHIN_MS)

  async function forget({ platform, id }: PersonKey, before: Date): Promise<void> {
    const params = [`${encodeURIComponent(platform)}/`, id, before]
    await db.query(`delete from ${schema}.outcome where starts_with(channel, $1) and author = $2 and at <= $3`, params)
    await db.query(
      `delete from ${schema}.vote v using ${schema}.outcome o
       where o.turn = v.turn and starts_with(o.channel, $1) and v.person = $2 and o.at <= $3`,
      params,
    )
  }

  /** An opt-out deletes messages, and with them their votes. A reaction is not a message. */
  async function forgetOptedOut(): Promise<void> {
    await db.query(
      `with gone as materialized (
         select platform, person from (
           select distinct split_part(o.channel, '/', 1) as platform, v.person
           from ${schema}.vote v join ${schema}.outcome o on o.turn = v.turn where v.message is null
         ) voter where kikimimi_v1.is_opted_out(platform, person)
       )
       delete from ${schema}.vote v using ${schema}.outcome o, gone g
       where o.turn = v.turn and v.message is null and v.person = g.person and split_part(o.channel, '/', 1) = g.platform`,
    )
  }

  const countBy: DueBy = runWhenDue(ctx, 'outcomes', async signal => {
    await forgetOptedOut()
    const { rows } = await db.query<Row>(
      `select ${ROW} from ${schema}.outcome
       where counted_at is null and spoke is not null and at <= $1 order by at limit ${COUNTED}`,
      [new Date(clock.now() - WITHIN_MS)],
    )
    for (const row of rows) {
      signal.throwIfAborted()
      await count(row)
    }
    if (rows.length > 0) await onCounted?.(new Set(rows.map(({ channel }) => channel)), signal)
    const { rows: next } = await db.query<{ at: Date | null }>(
      `select min(at) as at from ${schema}.outcome where counted_at is null and spoke is not null`,
    )
    return next[0]?.at ? due(next[0].at) : undefined
  })

  async function count(one: Row): Promise<void> {
    const from = new Date(one.at.getTime() - WITHIN_MS)
    const { rows: all } = await db.query<Row>(
      `select ${ROW} from ${schema}.outcome
       where channel = $1 and conversation = $2 and at > $3 and at <= $4 and spoke is not null`,
      [one.channel, one.conversation, from, due(one.at)],
    )
    const talk = await talkAround(ctx, one, { from, to: due(one.at) })
    const { rows: places } = await db.query<PersonaPlace>(
      'select workspace, channel, name, visibility from kikimimi_v1.conversation where id = $1',
      [one.conversation],
    )
    const { name, names } = ctx.bot.personaIn(
      places[0] ?? { ...conversationParts(one.conversation), name: '', visibility: 'private' },
    )
    const me = { id: talk.find(({ own }) => own)?.author.id ?? '', name }
    const votes = votesOn(one, talk, { all, me, names })
    await db.transaction(async db => {
      const now = new Date(clock.now())
      // Deleted meanwhile: there is nothing to count.
      const { rowCount } = await db.query(`update ${schema}.outcome set counted_at = $2 where turn = $1`, [one.turn, now])
      if (rowCount === 0) return
      await db.query(
        `insert into ${schema}.vote (turn, person, message, value)
         select $1, v.person, v.message, v.value from json_to_recordset($2) as v(person text, message text, value double precision)
         where not kikimimi_v1.is_being_forgotten($3, v.person) and not kikimimi_v1.is_opted_out($4, v.person) on conflict do nothing`,
        [one.turn, JSON.stringify(votes), platformOf(one.conversation), one.channel],
      )
    })
  }

  return { recorded: at => countBy(due(at)), forget }
}

const ROW = 'turn, conversation, channel, message, author, at, spoke, sent'

/** A conversation id begins with the name of the platform. */
function platformOf(conversation: string): string {
  return decodeURIComponent(conversation.split('/', 1)[0] ?? '')
}
