/** Records the decisions of the bot, and what people do after them. No text is stored. */
import { Unheard } from '@kikimimi/remember/unheard'
import { type ForgottenPerson, type PersonKey, type PluginContext, runWhenDue, type Trace, type Turn } from 'kikimimi'
import { hashOf, oddsOf, SHARED } from '../model.ts'
import type { Options } from '../options.ts'
import { signsOf } from '../signs.ts'
import { talkAround } from './talk.ts'
import { type Candidate, type Vote, votesOn, WITHIN_MS } from './votes.ts'

/** The probability from which a silence is near the threshold. */
const NEAR = 0.2
/** Number of outcomes that one run counts. */
const COUNTED = 100

interface Row extends Candidate {
  readonly turn: string
  readonly conversation: string
  readonly channel: string
}

export function createOutcomes(ctx: PluginContext<Options>) {
  const { db, clock, persona } = ctx
  const due = (at: Date) => new Date(at.getTime() + WITHIN_MS)

  /** Deletes what is kept of these people. `before`: later data stays. */
  async function forget({ platform, id }: PersonKey, before: Date): Promise<void> {
    const params = [`${encodeURIComponent(platform)}/`, id, before]
    await db.query('delete from attention.outcome where starts_with(channel, $1) and author = $2 and at <= $3', params)
    await db.query(
      `delete from attention.vote v using attention.outcome o
       where o.turn = v.turn and starts_with(o.channel, $1) and v.person = $2 and o.at <= $3`,
      params,
    )
  }

  /** An opt-out deletes messages, and with them their votes. A reaction is no message. */
  async function forgetOptedOut(): Promise<void> {
    const unheard = ctx.use(Unheard, 'optional')
    if (!unheard) return
    const { rows } = await db.query<{ platform: string; person: string }>(
      `select distinct split_part(o.channel, '/', 1) as platform, v.person
       from attention.vote v join attention.outcome o on o.turn = v.turn where v.message is null`,
    )
    for (const { platform, person } of rows) {
      const key = { platform: decodeURIComponent(platform), id: person }
      if (await unheard.has(key)) await forget(key, new Date(clock.now()))
    }
  }

  const countBy = runWhenDue(ctx, 'outcomes', async signal => {
    await forgetOptedOut()
    const { rows } = await db.query<Row>(
      `select ${ROW} from attention.outcome where counted_at is null and at <= $1 order by at limit ${COUNTED}`,
      [new Date(clock.now() - WITHIN_MS)],
    )
    for (const row of rows) {
      signal.throwIfAborted()
      await count(row)
    }
    const { rows: next } = await db.query<{ at: Date | null }>(
      'select min(at) as at from attention.outcome where counted_at is null',
    )
    return next[0]?.at ? due(next[0].at) : undefined
  })

  async function count(one: Row): Promise<void> {
    const from = new Date(one.at.getTime() - WITHIN_MS)
    const { rows: all } = await db.query<Row>(
      `select ${ROW} from attention.outcome where channel = $1 and conversation = $2 and at > $3 and at <= $4`,
      [one.channel, one.conversation, from, due(one.at)],
    )
    const talk = await talkAround(db, one, { from, to: due(one.at) })
    const me = { id: talk.find(({ own }) => own)?.author.id ?? '', name: persona.name }
    const platform = platformOf(one.conversation)
    const unheard = ctx.use(Unheard, 'optional')
    const heard: Vote[] = []
    for (const vote of votesOn(one, talk, { all, me, names: persona.names })) {
      if (!(await unheard?.has({ platform, id: vote.person }))) heard.push(vote)
    }
    await db.transaction(async db => {
      const now = new Date(clock.now())
      // Deleted meanwhile: there is nothing to count.
      const { rowCount } = await db.query('update attention.outcome set counted_at = $2 where turn = $1', [one.turn, now])
      if (rowCount === 0) return
      await db.query(
        `insert into attention.vote (turn, person, message, value)
         select $1, v.person, v.message, v.value from json_to_recordset($2) as v(person text, message text, value double precision)
         where not kikimimi_v1.is_being_forgotten($3, v.person) on conflict do nothing`,
        [one.turn, JSON.stringify(heard), platform],
      )
    })
  }

  return {
    async record(turn: Turn, trace: Trace): Promise<void> {
      const { learn, weights = SHARED } = ctx.optionsFor(turn.conversation)
      const { decision, outcome, trigger, sent, addressed } = trace
      const message = turn.messages.find(({ id }) => id === trigger)
      const isSilent = decision?.kind === 'silent' && outcome === 'silent'
      const speaks = (decision?.kind === 'full' || decision?.kind === 'ack') && sent.length > 0
      if (learn === 'off' || !message || (!isSilent && !speaks)) return
      const signs = signsOf(turn, message)
      const probability = 1 / (1 + Math.exp(-oddsOf(signs, weights)))
      if (isSilent && probability < NEAR) return
      const chat = trace.models.filter(({ role }) => role === 'chat').map(({ model }) => model)
      const prompt = hashOf([persona.name, persona.prompt, [...new Set(chat)].sort()])
      const { rowCount } = await db.query(
        `insert into attention.outcome
           (turn, conversation, channel, message, author, at, spoke, addressed, sent, signs, probability, weights, prompt)
         select $1, m.conversation, m.channel, m.id, m.author_id, $4, $5, $6, $7::text[], $8, $9, $10, $11
         from kikimimi_v1.message m
         where m.conversation = $2 and m.id = $3 and m.deleted_at is null and not m.being_forgotten
         on conflict do nothing`,
        [
          ...[turn.id, turn.conversation.id, message.id, new Date(clock.now()), speaks, addressed !== undefined, sent],
          ...[JSON.stringify(signs), probability, hashOf(weights), prompt],
        ],
      )
      if (rowCount > 0) await countBy(due(new Date(clock.now())))
    },

    /** Deletes the decisions about messages of the person, and the person's votes. */
    forget: (person: ForgottenPerson) => forget(person, person.before),
  }
}

const ROW = 'turn, conversation, channel, message, author, at, spoke, sent'

/** A conversation id begins with the name of the platform. */
function platformOf(conversation: string): string {
  return decodeURIComponent(conversation.split('/', 1)[0] ?? '')
}
