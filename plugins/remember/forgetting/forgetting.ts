/** Finds what an order wants to forget, and deletes it from the memory and the message log. */
import { contentWords, type Fact, type FactStore, isCopy } from '@kikimimi/facts'
import { type Conversation, channelOf, conversationParts, Erasure, type PersonKey, type PluginContext } from 'kikimimi'
import { copiesBy, copiesByOthers, questionsOn, type Said, textsOf } from './copies.ts'
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
  /** All accounts of the speaker. */
  readonly people: readonly PersonKey[]
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

export interface ForgettingDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'use'>
  readonly facts: FactStore
}

/**
 * Searches facts that may be read here, and the speaker's own messages, because those can be recalled too. A message that says the
 * same as an earlier match belongs to that match.
 */
export async function findEntries(
  { ctx, facts }: ForgettingDeps,
  { conversation, topic, people, except }: Looking,
): Promise<Found> {
  // What was said a moment ago may not be in the index.
  await facts.index()
  const mine = new Set(people.filter(({ platform }) => platform === conversation.platform).map(({ id }) => id))
  const [asker = ''] = mine
  const found = await facts.search({ conversation, text: topic, asker, limit: 30, except })
  const best = Math.max(0, ...found.map(({ evidence }) => evidence))
  const hits = found.filter(({ evidence }) => evidence >= Math.max(ENOUGH, OF_THE_BEST * best))
  const known = hits.flatMap(one => (one.kind === 'fact' ? one.fact : []))
  const own = known.filter(fact => isOf(fact, mine))
  const current = own.filter(({ supersededBy }) => !own.some(({ id }) => id === supersededBy))
  const stated = current.map((fact): Entry => {
    // Without this, a fact that was replaced would appear again as an earlier one.
    const all = [fact, ...own.filter(({ supersededBy }) => supersededBy === fact.id)]
    return { text: fact.content, facts: all.map(({ id }) => id), messages: all.flatMap(one => sourcesBy(one, mine)) }
  })
  const said = hits.flatMap(one => (one.kind === 'message' ? one.message : []))
  const theirs = [
    ...known.filter(fact => !own.includes(fact)).map(({ content }) => content),
    ...said.filter(({ author }) => !mine.has(author)).map(({ text }) => text),
  ]
  // A search returns equal messages once, and the one that it returns may be of another person.
  const repeated = theirs.length === 0 ? [] : await copiesBy(ctx, people, theirs)
  const messages = [...said.filter(({ author }) => mine.has(author)), ...repeated]
  const isNew = ({ channel, id }: Place) => !except.includes(id) || channel !== channelOf(conversation)
  const entries = withoutNames(messages.filter(isNew).reduce(withMessage, stated)).slice(0, MOST)
  const asked = (await questionsOn(ctx, people, conversation.id, topic)).filter(isNew)
  if (entries.length === 0)
    return { entries: asked.reduce(withMessage, []).slice(0, MOST), isClear: true, byOthers: theirs.length > 0 }
  // Whichever entry is chosen, these go with it.
  const all = entries.map(one => ({ ...one, messages: [...one.messages, ...asked.map(({ channel, id }) => ({ channel, id }))] }))
  return { entries: all, isClear: best >= CLEAR, byOthers: theirs.length > 0 }
}

/** Maximum length of a text that only names a thing. */
const NAME = 20

/** A text that only names what another one is about goes with that one. */
function withoutNames(entries: readonly Entry[]): readonly Entry[] {
  const plain = ({ text }: Entry) => text.normalize('NFKC').toLowerCase().trim()
  const fuller = (entry: Entry) =>
    plain(entry).length > NAME || contentWords(entry.text).length > 3
      ? undefined
      : entries.find(other => other.text.length > entry.text.length && plain(other).includes(plain(entry)))
  const named = entries.map(entry => [entry, fuller(entry)] as const)
  return named.flatMap(([entry, other]) => {
    if (other !== undefined) return []
    const all = [entry, ...named.flatMap(([one, of]) => (of === entry ? one : []))]
    return { text: entry.text, facts: all.flatMap(one => one.facts), messages: all.flatMap(one => one.messages) }
  })
}

function withMessage(entries: readonly Entry[], { text, channel, id }: Said): readonly Entry[] {
  const place = { channel, id }
  const isIts = ({ text: known, messages }: Entry) => isCopy(known, text) || messages.some(one => keyOf(one) === keyOf(place))
  const its = entries.find(isIts)
  if (!its) return [...entries, { text, facts: [], messages: [place] }]
  return entries.map(one => (one === its ? { ...one, messages: [...one.messages, place] } : one))
}

export interface Erased {
  /** Number of forgotten messages. */
  readonly count: number
  /** Whether other people said the same in this channel. */
  readonly byOthers: boolean
}

/**
 * Deletes facts with the speaker's own messages that they come from, all other messages of the speaker that say the same, and what
 * rests on any of them. Messages on the platform stay.
 */
export async function erase(
  { ctx, facts }: ForgettingDeps,
  { conversation, people, except }: Omit<Looking, 'topic'>,
  choices: readonly Choosable[],
): Promise<Erased> {
  const chosen = choices.flatMap(choice => choice.facts)
  const places = choices.flatMap(({ messages }) => messages)
  const contents = (await facts.list({ conversation, ids: chosen, history: true, limit: chosen.length })).map(
    ({ content }) => content,
  )
  const texts = [...contents, ...(await textsOf(ctx, places))]
  const copies = await copiesBy(ctx, people, texts)
  const messages = new Map([...places, ...copies].map(place => [keyOf(place), place]))
  for (const id of except) messages.delete(keyOf(placeIn(conversation, id)))
  const rests = (fact: Fact) =>
    texts.some(text => isCopy(text, fact.content)) ||
    fact.sources.some(({ channel, message }) => messages.has(keyOf({ channel, id: message })))
  const known = await Promise.all(people.map(person => allAbout(facts, person)))
  const resting = known.flat().filter(rests)
  const byOthers = await copiesByOthers(ctx, people, channelOf(conversation), texts)
  const ids = new Set([...chosen, ...resting.map(({ id }) => id)])
  await facts.forget([...ids])
  for (const { channel, id } of messages.values()) await ctx.use(Erasure).removeMessage(conversationOf(channel), id)
  return { count: messages.size, byOthers }
}

/** Number of facts that are read at once. */
const PAGE = 500

async function allAbout(facts: FactStore, person: PersonKey): Promise<readonly Fact[]> {
  const all: Fact[] = []
  for (let more = true; more; ) {
    const page = await facts.about(person, { limit: PAGE, offset: all.length })
    all.push(...page)
    more = page.length === PAGE
  }
  return all
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
  const { thread: _, ...channel } = conversationParts(id)
  return { ...channel, name: channel.channel, visibility: 'private' }
}

/** Address of a message of this conversation. */
export function placeIn(conversation: Conversation, id: string): Place {
  return { channel: channelOf(conversation), id }
}
