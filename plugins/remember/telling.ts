/**
 * Lists what the bot knows about a person: all of it in a direct conversation, elsewhere only what the audience may read.
 */
import type { Fact, FactStore } from '@kikimimi/facts'
import type { Profile, ProfileStore } from '@kikimimi/profiles'
import { type Conversation, type MessageSource, type PersonKey, safeName } from 'kikimimi'
import { short } from './short.ts'
import type { Words } from './texts.ts'

/** Maximum number of facts. This many fit into one message on every platform. */
const MOST = 15
const CHANNELS = 3
/** Maximum number of facts whose messages count as the source of a list. */
const KNOWN = 1_000

export interface Telling {
  readonly facts: FactStore
  readonly profiles: ProfileStore | undefined
  readonly conversation: Conversation
  /** All accounts of the person who asks. */
  readonly people: readonly PersonKey[]
  readonly say: Words
}

export async function tellWhatIsKnown({ facts, profiles, conversation, people, say }: Telling): Promise<string> {
  // A guest may not read what is public in the workspace.
  const alone = conversation.visibility === 'direct' && !conversation.readers?.outsiders
  const [known, profile] = await Promise.all([
    alone ? exportedOf(facts, people) : listedOf(facts, conversation, people),
    profileOf(profiles, conversation, people),
  ])
  const told = known.map(({ content, validTo, people: about }) => {
    const text = validTo ? say('before', { text: short(content) }) : short(content)
    return people.some(({ id }) => about.includes(id)) ? text : say('youTold', { text })
  })
  const items = [...told, ...notes(profile, say)]
  const lines = items.slice(0, MOST).map((item, at) => `${at + 1}. ${item}`)
  const heard = profile ? [heardOf(profile, say)] : []
  if (lines.length === 0 && heard.length === 0)
    return alone ? say('nothingKnownAlone') : `${say('nothingKnown')} ${say('askAlone')}`
  return [
    ...(lines.length > 0 ? [say(alone ? 'knownAlone' : 'known'), ...lines] : []),
    ...(items.length > MOST ? [say('more', { count: items.length - MOST })] : []),
    ...heard,
    ...(alone ? [] : [say('askAlone')]),
  ].join('\n')
}

/** The messages behind the list: those of facts by or about the person, and those of notes. */
export async function sourcesOf({
  facts,
  profiles,
  conversation,
  people,
}: Omit<Telling, 'say'>): Promise<readonly MessageSource[]> {
  const profile = await profileOf(profiles, conversation, people)
  const known = await Promise.all(people.map(person => facts.about(person, { limit: KNOWN })))
  const stated = Map.groupBy(
    known.flat().flatMap(({ sources }) => sources),
    ({ channel }) => channel,
  )
  return [
    ...(profile?.sources ?? []),
    ...[...stated].map(([channel, sources]) => ({ channel, messages: sources.map(({ message }) => message) })),
  ]
}

async function listedOf(facts: FactStore, conversation: Conversation, people: readonly PersonKey[]): Promise<Fact[]> {
  const here = people.filter(({ platform }) => platform === conversation.platform)
  const lists = await Promise.all(here.map(({ id }) => facts.list({ conversation, person: id, limit: 100 })))
  return once(lists.flat())
}

/** All facts about the person, latest first. */
async function exportedOf(facts: FactStore, people: readonly PersonKey[]): Promise<Fact[]> {
  const exports = await Promise.all(people.map(person => facts.export(person)))
  return once(exports.flat()).sort((one, other) => other.at.getTime() - one.at.getTime() || other.id - one.id)
}

function once(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.map(fact => [fact.id, fact])).values()]
}

/** The profile of the account that asks. Linked accounts share one profile. */
async function profileOf(
  profiles: ProfileStore | undefined,
  conversation: Conversation,
  [person]: readonly PersonKey[],
): Promise<Profile | undefined> {
  if (!person) return undefined
  return profiles?.get(person, conversation)
}

function notes(profile: Profile | undefined, say: Words): string[] {
  const { tags = [], personality = '', lastConversation = '', topics = [] } = profile ?? {}
  const talk = lastConversation.trim() === '' ? topics.join(', ') : lastConversation
  return [
    ...(tags.length > 0 ? [say('likes', { tags: tags.map(tag => short(tag)).join(say('and')) })] : []),
    ...(personality.trim() === '' ? [] : [say('impression', { text: short(personality) })]),
    ...(talk.trim() === '' ? [] : [say('lastTalk', { text: short(talk) })]),
  ]
}

function heardOf({ messages: count, channels }: Profile, say: Words): string {
  const names = channels.slice(0, CHANNELS).map(({ name }) => `#${safeName(name)}`)
  return names.length === 0 ? say('heard', { count }) : say('heardIn', { count, channels: names.join(say('and')) })
}
