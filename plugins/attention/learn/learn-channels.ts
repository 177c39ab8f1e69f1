/** Learns once a day, in each channel with enough messages. */
import { type Conversation, type Database, type LoggedMessage, MessageLog, type PluginContext } from 'kikimimi'
import { SHARED } from '../model.ts'
import type { Options } from '../options.ts'
import { SIGNS, type Signs } from '../signs.ts'
import type { Example } from './example.ts'
import { propose } from './propose.ts'
import type { Said } from './seats.ts'
import { createVersions, SELF, type Version } from './versions.ts'

const DAY = 24 * 60 * 60_000
/** Messages of this time are learned from, and so many of the last ones. */
const LEARNED_MS = 28 * DAY
const MOST = 20_000
const PAGE = 10_000
/** Channels with fewer messages have the shared weights. */
const LEAST = 500
/** Outcomes are kept for this time. */
const KEPT_MS = 60 * DAY
/** A vote about a decision of the bot counts as many messages in the seat of a person. */
const VOTE_WEIGHT = 5

type Ctx = PluginContext<Options>

export async function learnChannels(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = ctx
  await db.query('delete from attention.outcome where at <= $1', [new Date(clock.now() - KEPT_MS)])
  const { rows } = await db.query<{ channel: string }>(
    `select distinct array_to_string((string_to_array(conversation, '/'))[1:3], '/') as channel
     from kikimimi_v1.latest where received_at > $1 order by channel`,
    [new Date(clock.now() - LEARNED_MS)],
  )
  for (const { channel } of rows) {
    signal.throwIfAborted()
    // A channel that fails does not keep the others from learning.
    try {
      await learnChannel(ctx, channel, { least: LEAST, signal })
    } catch (error) {
      signal.throwIfAborted()
      log.warn('could not learn in a channel', { channel, error })
    }
  }
}

/**
 * Nothing: there is nothing new, or learning is off in this channel.
 *
 * @param least a channel with fewer messages learns nothing
 */
export async function learnChannel(
  ctx: Ctx,
  channel: string,
  { least = 0, signal }: { readonly least?: number; readonly signal?: AbortSignal } = {},
): Promise<Version | undefined> {
  const { db, log } = ctx
  const conversation = await conversationOf(db, channel)
  if (!conversation || conversation.visibility === 'direct') return undefined
  const { learn, weights } = ctx.optionsFor(conversation)
  // The names of a person can still be in messages of others.
  if (learn === 'off' || (await isForgetting(db, channel))) return undefined
  const since = new Date(ctx.clock.now() - LEARNED_MS)
  const said = await saidIn(ctx.use(MessageLog), channel, since)
  if (said.length < least) return undefined
  const outcomes = await votesIn(db, channel, since)
  const proposal = await propose({ said: said.map(toSaid), outcomes, shared: SHARED, current: weights ?? SHARED }, signal)
  if (!proposal?.isBetter) return undefined
  const versions = createVersions(ctx)
  const version = await versions.add(channel, proposal)
  if (!version) return undefined
  const { before, after } = proposal.replay
  log.info('proposes weights', { channel, version: version.version, hash: version.hash, f1Before: before.f1, f1After: after.f1 })
  if (learn === 'automatic' && !(await versions.isHeld(channel))) await versions.apply(channel, version.version, SELF)
  return version
}

/** The last messages of a channel and its threads, oldest first. */
async function saidIn(log: MessageLog, channel: string, receivedSince: Date): Promise<readonly LoggedMessage[]> {
  const query = { readers: 'operator', channel, receivedSince, limit: PAGE } as const
  let said = await log.read(query)
  for (let page = said; page.length === PAGE && said.length < MOST; said = [...page, ...said]) {
    page = await log.read({ ...query, before: said[0]?.seq ?? 0 })
  }
  return said
}

function toSaid(message: LoggedMessage): Said {
  const { conversation, replyTo } = message
  return { message, conversation: conversation.id, ...(replyTo !== undefined && { answers: [replyTo] }) }
}

/** The votes about unaddressed decisions, as examples of the people who voted. */
async function votesIn(db: Database, channel: string, since: Date): Promise<readonly Example[]> {
  const { rows } = await db.query<{ person: string; value: number; at: Date; signs: Signs }>(
    `select v.person, v.value, o.at, o.signs from attention.vote v join attention.outcome o on o.turn = v.turn
     where o.channel = $1 and o.at > $2 and not o.addressed order by o.at, o.turn, v.person`,
    [channel, since],
  )
  return rows
    .filter(({ signs }) => SIGNS.every(sign => Number.isFinite(signs[sign])))
    .map(({ person, value, at, signs }) => ({ signs, label: value > 0, weight: VOTE_WEIGHT * Math.abs(value), person, at }))
}

export async function conversationOf(db: Database, channel: string): Promise<Conversation | undefined> {
  const { rows } = await db.query<Omit<Conversation, 'thread'>>(
    'select id, platform, workspace, channel, name, visibility from kikimimi_v1.conversation where id = $1',
    [channel],
  )
  return rows[0]
}

async function isForgetting(db: Database, channel: string): Promise<boolean> {
  const { rows } = await db.query<{ forgetting: boolean }>('select kikimimi_v1.is_forgetting($1) as forgetting', [channel])
  return rows[0]?.forgetting === true
}
