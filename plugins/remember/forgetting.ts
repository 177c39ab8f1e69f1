/** Finds what an order wants to forget, and deletes it from the memory and the message log. */
import type { Fact, FactStore } from '@kikimimi/facts'
import { type Conversation, channelOf, Erasure, type PluginContext } from 'kikimimi'
import type { Choosable, Place } from './questions.ts'

/** A fact or a message, with the text that people see. */
export interface Entry extends Choosable {
  readonly text: string
}

export interface Found {
  /** Matches that may be forgotten, best first. */
  readonly entries: readonly Entry[]
  /** Whether the first match is certain. */
  readonly isClear: boolean
  /** Whether another person said something about the topic. */
  readonly byOthers: boolean
}

export interface Looking {
  readonly conversation: Conversation
  readonly topic: string
  /** The speaker's account ids on this platform. */
  readonly mine: readonly string[]
  /** Ids of messages of this channel that never match: the order itself. */
  readonly except: readonly string[]
}

/** Maximum length of a list to choose from. */
const MOST = 9

/** Minimum coverage of the topic: one word of seven, as the bot asks. A match also needs half of the coverage of the best one. */
const ENOUGH = 0.1
const OF_THE_BEST = 0.5

/** Coverage from which a match is certain: "my flight" and “my flight is on Friday”. */
const CLEAR = 0.4

/** Searches facts that may be read here, and the speaker's own messages, because those can be recalled too. */
export async function findEntries(facts: FactStore, { conversation, topic, mine, except }: Looking): Promise<Found> {
  const found = await facts.search({ conversation, text: topic, asker: mine[0] ?? '', limit: 30, except })
  const best = Math.max(0, ...found.map(({ evidence }) => evidence))
  const hits = found.filter(({ evidence }) => evidence >= Math.max(ENOUGH, OF_THE_BEST * best))
  const theirs = new Set(mine)
  const known = hits.flatMap(one => (one.kind === 'fact' ? one.fact : []))
  const own = known.filter(fact => isOf(fact, theirs))
  const current = own.filter(({ supersededBy }) => !own.some(({ id }) => id === supersededBy))
  const entries = current.map((fact): Entry => {
    // Without this, a fact that was replaced would appear again as an earlier one.
    const all = [fact, ...own.filter(({ supersededBy }) => supersededBy === fact.id)]
    return { text: fact.content, facts: all.map(({ id }) => id), messages: all.flatMap(one => sourcesBy(one, theirs)) }
  })
  const covered = new Set(entries.flatMap(({ messages }) => messages.map(keyOf)))
  const said = hits.flatMap(one => (one.kind === 'message' ? one.message : []))
  const messages = said
    .filter(message => theirs.has(message.author) && !covered.has(keyOf(message)))
    .map(({ text, channel, id }): Entry => ({ text, facts: [], messages: [{ channel, id }] }))
  return {
    entries: [...entries, ...messages].slice(0, MOST),
    isClear: best >= CLEAR,
    byOthers: known.length > own.length || said.some(({ author }) => !theirs.has(author)),
  }
}

/** Deletes facts, and the speaker's own messages that they come from. Messages on the platform stay. */
export async function erase(ctx: Pick<PluginContext, 'use'>, facts: FactStore, choices: readonly Choosable[]): Promise<void> {
  await facts.forget(choices.flatMap(choice => choice.facts))
  for (const { channel, id } of choices.flatMap(({ messages }) => messages))
    await ctx.use(Erasure).removeMessage(conversationOf(channel), id)
}

/** Whether the speaker said the fact, or it is about the speaker. */
function isOf({ people, sources }: Fact, theirs: ReadonlySet<string>): boolean {
  return people.some(id => theirs.has(id)) || sources.some(({ author }) => theirs.has(author))
}

function sourcesBy({ sources }: Fact, theirs: ReadonlySet<string>): Place[] {
  return sources.filter(({ author }) => theirs.has(author)).map(({ channel, message }) => ({ channel, id: message }))
}

function keyOf({ channel, id }: Place): string {
  return `${channel}\n${id}`
}

/** The channel and the id identify a message. The name of the channel does not matter. */
function conversationOf(id: string): Omit<Conversation, 'id'> {
  const [platform = '', workspace = '', channel = ''] = id.split('/').map(decodeURIComponent)
  return { platform, workspace, channel, name: channel, visibility: 'private' }
}

/** Address of a message of this conversation. */
export function placeIn(conversation: Conversation, id: string): Place {
  return { channel: channelOf(conversation), id }
}
