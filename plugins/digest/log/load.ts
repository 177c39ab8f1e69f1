/** The messages that a digest is made from: only what everybody who reads the answer may read. */
import { type Conversation, channelOf, type Database, type LoggedMessage, type MessageLog, type PersonKey } from 'kikimimi'
import type { Said } from './said.ts'

/** Number of messages, the latest. */
export const MOST = 1_500
/** Number of channels and threads of a workspace, those with the latest messages. */
const PLACES = 60
/** Number of messages of a person among which the last one in each channel is found. */
const SPOKEN = 1_000
/** Maximum length of a text. The rest is cut. */
const LONGEST = 2_000
/** The clock of a platform can be ahead of the one of the bot by this, in milliseconds. */
const AHEAD = 60_000

/** A conversation, and other workspaces to which everybody who reads it belongs: the beginnings of the ids of their conversations. */
export interface Audience {
  readonly conversation: Conversation
  readonly shared: readonly string[]
}

/** The id of the readers who are told what was said in a place: of another workspace, the public messages alone. */
const readersOf = ({ conversation, shared }: Audience, place: string) =>
  shared.find(workspace => place.startsWith(workspace)) ?? conversation.id

type Query = Partial<Parameters<MessageLog['read']>[0]>

async function readIn(log: MessageLog, audience: Audience, conversations: readonly string[], query: Query) {
  const places = Map.groupBy(new Set(conversations), place => readersOf(audience, place))
  const read = [...places].map(([id, conversations]) => log.read({ limit: MOST, ...query, readers: { id }, conversations }))
  return (await Promise.all(read)).flat()
}

/**
 * What was said since a time, oldest first: in a thread, in a channel with its threads, or in a direct conversation in the channels of
 * the workspace and of those that the readers share with the bot.
 *
 * @param except the id of a message that is left out
 */
export async function loadSaid(
  { db, log }: { readonly db: Database; readonly log: MessageLog },
  audience: Audience,
  { since, until, except }: { readonly since: Date; readonly until: Date; readonly except?: string | undefined },
): Promise<readonly Said[]> {
  const { id, visibility, thread } = audience.conversation
  const query = { since, until, receivedSince: new Date(since.getTime() - AHEAD) }
  const active = async () => {
    const workspaces = [`${id.split('/').slice(0, 2).join('/')}/`, ...audience.shared]
    return (await db.query<{ id: string }>(ACTIVE, [workspaces, since, PLACES])).rows.map(row => row.id)
  }
  const read =
    visibility !== 'direct' && thread === undefined
      ? await log.read({ ...query, readers: { id }, channel: id, limit: MOST })
      : await readIn(log, audience, visibility === 'direct' ? await active() : [id], query)
  return read
    .filter(one => one.text !== '' && one.id !== except)
    .map(one => saidOf(one, audience))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || one.seq - other.seq)
    .slice(-MOST)
}

/** The messages that still say what they said, and that the readers of the conversation may still read. */
export async function stillSaid(log: MessageLog, audience: Audience, said: readonly Said[]): Promise<ReadonlySet<number>> {
  const conversations = said.map(({ conversation }) => conversation)
  const [seqs, since] = [said.map(({ seq }) => seq), new Date(Number(said[0]?.at ?? 0) - 1)]
  // Some came meanwhile.
  const range = { since, after: Math.min(...seqs) - 1, before: Math.max(...seqs) + 1, limit: 2 * MOST }
  const texts = new Map((await readIn(log, audience, conversations, range)).map(({ seq, text }) => [seq, cut(text)]))
  return new Set(said.filter(({ seq, text }) => texts.get(seq) === text).map(({ seq }) => seq))
}

/** When a person last spoke in each channel before a time, within the time that a digest looks back. */
export async function lastSpoken(
  log: MessageLog,
  person: PersonKey,
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<ReadonlyMap<string, Date>> {
  const said = await log.read({ readers: 'operator', authors: [person], since: from, until: before, limit: SPOKEN })
  const byTime = said.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  return new Map(byTime.map(({ conversation, at }) => [channelOf(conversation), at]))
}

/** Those of the messages that the given ones answer which a person wrote, each as its channel and its id. */
export async function writtenBy(log: MessageLog, person: PersonKey, said: readonly Said[]): Promise<ReadonlySet<string>> {
  const messages = said.flatMap(({ channel, replyTo }) => (replyTo === undefined ? [] : { channel, id: replyTo }))
  if (messages.length === 0) return new Set()
  const own = await log.read({ readers: 'operator', authors: [person], messages, limit: messages.length })
  return new Set(own.map(({ conversation, id }) => `${channelOf(conversation)} ${id}`))
}

const ACTIVE = `
  select l.id from unnest($1::text[]) w cross join lateral (
    select l.conversation as id from kikimimi_v1.latest l join kikimimi_v1.conversation c on c.id = l.conversation
    where starts_with(l.conversation, w) and l.received_at > $2 and c.visibility <> 'direct' order by l.received_at desc limit $3
  ) l`

const cut = (text: string) => text.slice(0, LONGEST).toWellFormed()

function saidOf({ conversation, author, addressed, mentions, ...one }: LoggedMessage, audience: Audience): Said {
  const { id, name, thread, details } = conversation
  const { seq, own, at, replyTo } = one
  const isShared = readersOf(audience, id) !== audience.conversation.id
  return {
    ...{ seq, conversation: id, channel: channelOf(conversation), id: one.id, text: cut(one.text), at },
    place: isShared && details?.workspaceName ? `${name} (${details.workspaceName})` : name,
    author: { id: author.id, name: author.name },
    bot: own || author.bot === true,
    isCall: addressed !== undefined && addressed !== 'direct',
    ...(thread !== undefined && { thread }),
    ...(replyTo !== undefined && { replyTo }),
    mentions: mentions.map(mentioned => mentioned.id),
  }
}
