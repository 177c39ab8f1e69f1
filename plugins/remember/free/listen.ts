/** Reads an order in free words with what is known around it, and finds what it is about. */
import type { FactStore } from '@kikimimi/facts'
import { type OrderText, orderText } from '@kikimimi/orders'
import type { Message, PluginContext, Turn } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import type { Means, Order } from '../orders.ts'
import { decided } from './decide.ts'
import { KNOWN, normalized, SAID } from './features.ts'
import { freeOrderIn } from './model.ts'

/** Facts about a person that are compared with the message. */
const FACTS = 100
/** How far back a person means what was said, in milliseconds, and in how many messages. */
const BACK = 30 * 60_000
const LINES = 5
/** Above this probability of no order, what is known changes nothing. */
const CLEARLY_NONE = 0.995

/** Minimum number of letters of a part with a content, and the probability that it is no order. */
const CONTENT = 8
const NO_ORDER = 0.5

export interface FreeDeps {
  readonly ctx: Pick<PluginContext, 'history'>
  readonly facts: Pick<FactStore, 'list'>
}

/** @param names names of the bot */
export async function freeOrderOf(
  { ctx, facts }: FreeDeps,
  { conversation }: Pick<Turn, 'conversation'>,
  message: Message,
  names: readonly string[],
): Promise<Order | undefined> {
  const text = orderText(message.text, names)
  const { author } = message
  if (freeOrderIn(text, { author: author.name }).none > CLEARLY_NONE) return undefined
  const [known, history] = await Promise.all([
    facts.list({ conversation, person: author.id, limit: FACTS }),
    ctx.history(conversation, LINES * LINES),
  ])
  const now = history.findIndex(({ id }) => id === message.id)
  const own = history
    .slice(0, now < 0 ? undefined : now)
    .filter(one => one.author.id === author.id && message.at.getTime() - one.at.getTime() < BACK)
    .slice(-LINES)
    .map(one => one.text)
  const remembered = known.map(({ content }) => content)
  const said = own.filter(one => !remembered.some(content => one.includes(content)))
  const around = { author: author.name, remembered, said }
  const score = freeOrderIn(text, around)
  const { kind, isSure } = decided(score, false)
  const unsure = isSure ? {} : { isUnsure: true as const }
  if (kind === 'none' || kind === 'opt-in') return undefined
  if (kind === 'forget-me' || kind === 'opt-out') return { kind, ...unsure }
  const plain = normalized(text, around)
  const topic = topicOf(text.text, remembered)
  if (plain.includes(KNOWN) && topic !== '') return { kind: 'forget', topic, ...unsure }
  const isLast = own.length > 0 && (plain.includes(SAID) || refersBack(text) || score['leave-out'] > score.forget / 3)
  if (kind === 'forget' && !isLast) return { kind: 'forget', topic: text.original, ...unsure }
  return { kind: 'leave-out', means: meansOf(text.text, plain, own.length > 0), ...unsure }
}

/** Whether the message has words such as "that" or "what I just said". */
function refersBack(text: OrderText): boolean {
  return LANGUAGES.some(({ letter, row }) => letter.test(text.text) && /[LTti]/.test(row(text, []).tags))
}

/** The words of the message that what is remembered has too. */
function topicOf(text: string, remembered: readonly string[]): string {
  const marked = normalized(orderText(text, []), { remembered })
  // Between the signs stands the text as it is, so that what is missing is known.
  const parts = marked.split(KNOWN).map(part => part.trim())
  let rest = normalized(orderText(text, []))
  const topics: string[] = []
  for (const part of parts) {
    const at = part === '' ? 0 : rest.indexOf(part)
    if (at > 0) topics.push(rest.slice(0, at).trim())
    if (at >= 0) rest = rest.slice(at + part.length)
  }
  if (parts.at(-1) === '' && rest !== '') topics.push(rest.trim())
  return topics.join(' ')
}

/**
 * What is left out: what the person said before, together with the message itself if that has a content beside the order. An order that
 * refers to nothing before means itself.
 */
function meansOf(text: string, plain: string, hasBefore: boolean): Means {
  const isPart = (part: string) =>
    part.replace(/[^\p{L}\p{N}]/gu, '').length >= CONTENT && freeOrderIn(orderText(part, [])).none > NO_ORDER
  const hasContent = /\d{3}/.test(text) || text.split(/[,.:;!?。、…—–！？\n]+/u).some(isPart)
  if (!hasBefore) return hasContent ? 'this' : 'around'
  return hasContent && !plain.includes(SAID) ? 'near' : 'before'
}
