/** The messages that say the same as a text: people repeat themselves, and all of it is to be forgotten. */
import { contentWords, isCopy } from '@kikimimi/facts'
import { channelOf, type LoggedMessage, MessageLog, type PersonKey, type PluginContext } from 'kikimimi'
import type { Place } from './questions.ts'

/** A message with its text. */
export interface Said extends Place {
  readonly text: string
}

type Log = Pick<PluginContext, 'use'>

/** The messages of a person, in all conversations, that say the same as one of the texts. */
export async function copiesBy(log: Log, authors: readonly PersonKey[], texts: readonly string[]): Promise<readonly Said[]> {
  const said = await allOf(log, { authors, own: false, someWords: stems(texts) })
  return said.filter(({ text }) => texts.some(one => isCopy(one, text))).map(toSaid)
}

/** How far back {@link copiesByOthers} looks: a busy channel has hundreds of thousands of messages. */
const LATELY = 30 * 24 * 60 * 60_000

/** Whether other people have said the same as one of the texts in a channel lately. */
export async function copiesByOthers(
  ctx: Log & Pick<PluginContext, 'clock'>,
  people: readonly PersonKey[],
  channel: string,
  texts: readonly string[],
): Promise<boolean> {
  const since = new Date(ctx.clock.now() - LATELY)
  const said = await allOf(ctx, { channel, since, people: true, someWords: stems(texts) })
  const others = said.filter(({ author }) => !people.some(({ id }) => id === author.id))
  return others.some(({ text }) => texts.some(one => isCopy(one, text)))
}

/** The questions of a person to the bot in a conversation that have all words of a topic. No index has them. */
export async function questionsOn(
  log: Log,
  authors: readonly PersonKey[],
  conversation: string,
  topic: string,
): Promise<readonly Said[]> {
  const words = contentWords(topic)
  if (words.length === 0) return []
  const said = await allOf(log, { authors, conversations: [conversation], own: false, someWords: stems([topic]) })
  const asks = ({ addressed, text }: LoggedMessage) => addressed !== undefined && /[?？]\s*$/.test(text)
  return said.filter(one => asks(one) && new Set(words).isSubsetOf(new Set(contentWords(one.text)))).map(toSaid)
}

/** The texts of messages, as they stand in the log. */
export async function textsOf({ use }: Log, messages: readonly Place[]): Promise<readonly string[]> {
  if (messages.length === 0) return []
  const said = await use(MessageLog).read({ readers: 'operator', messages, limit: messages.length })
  return said.flatMap(({ text }) => (text === '' ? [] : text))
}

/** Number of messages that are read at once. */
const PAGE = 10_000

async function allOf(log: Log, query: Partial<Parameters<MessageLog['read']>[0]>): Promise<readonly LoggedMessage[]> {
  const said = await log.use(MessageLog).read({ ...query, readers: 'operator', limit: PAGE })
  return said.length < PAGE ? said : [...(await allOf(log, { ...query, before: said[0]?.seq ?? 0 })), ...said]
}

const toSaid = ({ conversation, id, text }: LoggedMessage): Said => ({ channel: channelOf(conversation), id, text })

/** Number of letters that a word and its stem share. */
const STEM = 4

/** Parts of which every text that says the same has one: it has a common word, or no word at all. */
function stems(texts: readonly string[]): readonly string[] {
  const parts = texts.flatMap(text => {
    const words = contentWords(text)
    if (words.length > 0) return words.map(word => word.slice(0, Math.min(STEM, Math.max(1, word.length - 1))))
    return text.trim()
  })
  return [...new Set(parts)]
}
