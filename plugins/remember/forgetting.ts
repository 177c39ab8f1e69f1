/** Forgetting what somebody tells the bot to forget: finding it, and taking it out of the memory and of the message log. */
import type { Fact, FactStore } from '@kikimimi/facts'
import { type Conversation, channelOf, Erasure, type PluginContext } from 'kikimimi'
import type { Choosable, Place } from './questions.ts'

/** Something that is kept, as people are shown it. */
export interface Entry extends Choosable {
  readonly text: string
}

export interface Found {
  /** What may be forgotten, best first. */
  readonly entries: readonly Entry[]
  /** Whether the first is beyond doubt. */
  readonly isClear: boolean
  /** Whether somebody else has said something about it. */
  readonly byOthers: boolean
}

export interface Looking {
  readonly conversation: Conversation
  readonly topic: string
  /** The speaker's ids here. */
  readonly mine: readonly string[]
  /** Ids of messages of this channel that are no answer: the order itself. */
  readonly except: readonly string[]
}

/** A list of more is none to choose from. */
const MOST = 9

/** What covers less of the topic than this, or than half of what the best does, is about something else. */
const ENOUGH = 0.15
const OF_THE_BEST = 0.5

/** What covers so much of it is meant: "my flight" and “my flight is on Friday”. */
const CLEAR = 0.4

/** Facts that may be read here, and the speaker's own messages, which would be recalled all the same. */
export async function findEntries(facts: FactStore, { conversation, topic, mine, except }: Looking): Promise<Found> {
  const found = await facts.search({ conversation, text: topic, asker: mine[0] ?? '', limit: 30, except })
  const best = Math.max(0, ...found.map(({ evidence }) => evidence))
  const hits = found.filter(({ evidence }) => evidence >= Math.max(ENOUGH, OF_THE_BEST * best))
  const theirs = new Set(mine)
  const known = hits.flatMap(one => (one.kind === 'fact' ? one.fact : []))
  const own = known.filter(fact => isOf(fact, theirs))
  const current = own.filter(({ supersededBy }) => !own.some(({ id }) => id === supersededBy))
  const entries = current.map((fact): Entry => {
    // What it took the place of would come up again as what was before.
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

/** Deletes facts, and the speaker's own messages that they come from. What was said stays on the platform. */
export async function erase(ctx: Pick<PluginContext, 'use'>, facts: FactStore, choices: readonly Choosable[]): Promise<void> {
  await facts.forget(choices.flatMap(choice => choice.facts))
  for (const { channel, id } of choices.flatMap(({ messages }) => messages))
    await ctx.use(Erasure).removeMessage(conversationOf(channel), id)
}

/** Said by the speaker, or about them. */
function isOf({ people, sources }: Fact, theirs: ReadonlySet<string>): boolean {
  return people.some(id => theirs.has(id)) || sources.some(({ author }) => theirs.has(author))
}

function sourcesBy({ sources }: Fact, theirs: ReadonlySet<string>): Place[] {
  return sources.filter(({ author }) => theirs.has(author)).map(({ channel, message }) => ({ channel, id: message }))
}

function keyOf({ channel, id }: Place): string {
  return `${channel}\n${id}`
}

/** A message is found by its channel and id: what the channel is called does not matter. */
function conversationOf(id: string): Omit<Conversation, 'id'> {
  const [platform = '', workspace = '', channel = ''] = id.split('/').map(decodeURIComponent)
  return { platform, workspace, channel, name: channel, visibility: 'private' }
}

/** The place of a message of this conversation. */
export function placeIn(conversation: Conversation, id: string): Place {
  return { channel: channelOf(conversation), id }
}
