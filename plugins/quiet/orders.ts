/** Requests about the bot's talking: to be quiet, or to talk again. */
import { orderText, plainWords } from '@kikimimi/orders'
import { type Act, speechActOf } from '@kikimimi/speech-acts'
import type { Said } from '@kikimimi/times'
import type { Message, Turn } from 'kikimimi'
import { LANGUAGES } from './language.ts'
import { type End, takeEnd, withoutTimes } from './spoken-end.ts'

export interface QuietOrder {
  readonly kind: 'quiet'
  readonly message: Message
  /** Absent: the text names none. */
  readonly end?: End
  /** The text says only the end: an order where the bot is quiet already. */
  readonly isChange?: boolean
}

/** `isSaid`: in words, and not by calling the bot. */
export type Order = QuietOrder | { readonly kind: 'talk'; readonly message: Message; readonly isSaid?: boolean }

/** Within this time after the bot spoke, "be quiet" without a name means the bot. */
const ENGAGED = 5 * 60_000

/** Maximum length of a request in characters. A longer text says more than that. */
const LONGEST = 120

/** The last request in these messages. A later one replaces earlier ones. */
export function lastOrder(
  { messages, lastReplyAt, me }: Pick<Turn, 'messages' | 'lastReplyAt' | 'me'>,
  names: readonly string[],
): Order | undefined {
  const own = [...names, me.name]
  for (const message of messages.toReversed()) {
    const order = orderIn(message, own, lastReplyAt)
    if (order) return order
  }
  return undefined
}

function orderIn(message: Message, names: readonly string[], lastReplyAt: Date | undefined): Order | undefined {
  const { text, addressed, mentions, at } = message
  const named = addressed === 'mention' || addressed === 'name'
  const plain = addressed === undefined && mentions.length === 0
  const said = text.length <= LONGEST && (addressed || plain) ? orderText(text, names).text : undefined
  if (said) {
    const { rest, end } = takeEnd(said)
    const isCalled = orderText(text, []).text !== said
    const engaged = lastReplyAt !== undefined && at.getTime() - lastReplyAt.getTime() < ENGAGED
    const act = addressed ? actOf(text, names) : undefined
    const quiet = addressed || isCalled ? wantsQuiet(rest) || act === 'quiet' : engaged && says(rest, 'asksForQuiet')
    if (quiet) return { kind: 'quiet', message, ...(end !== undefined && { end }) }
    // 「毎晩22時から7時は静かにして」: it names times that are no end.
    const left = addressed ? withoutTimes(said) : said
    if (left !== said && wantsQuiet(takeEnd(left).rest)) return { kind: 'quiet', message, end: 'unclear' }
    if (addressed && isTime(end) && says(rest, 'changes')) return { kind: 'quiet', message, end, isChange: true }
    if (says(rest, 'letsTalk') || act === 'talk') return { kind: 'talk', message, isSaid: true }
  }
  return named ? { kind: 'talk', message } : undefined
}

const isTime = (end: End | undefined): end is Said => typeof end === 'object' && !('ms' in end)

/** A wrong mute is worse than a request that must be repeated. */
const SURE = 0.99

/** What a message to the bot does, if the model of speech acts is sure: it knows wordings that the lists do not have. */
function actOf(text: string, names: readonly string[]): Act | undefined {
  if (LANGUAGES.some(({ reported, thanks }) => reported.test(text.toLowerCase()) || thanks?.test(text))) return undefined
  const { act, probability } = speechActOf(text, { names })
  return probability >= SURE ? act : undefined
}

/**
 * A request to the bot: the whole message, or a clause of a message that asks nothing else ("we are in a meeting, be
 * quiet").
 */
function wantsQuiet(text: string): boolean {
  if (LANGUAGES.some(({ thanks }) => thanks?.test(text))) return false
  if (says(text, 'asksForQuiet') || says(text, 'hintsAtQuiet')) return true
  const parts = text.split(PART)
  const order = parts.findIndex(part => says(part, 'asksForQuiet'))
  return (
    order >= 0 &&
    !LANGUAGES.some(({ reported }) => reported.test(text)) &&
    !parts.some((part, index) => index !== order && part.includes('?') && /\p{L}/u.test(part))
  )
}

/** Sources of patterns, from every language that has one. */
const CLAUSE_ENDS = LANGUAGES.flatMap(({ clauseEnds }) => clauseEnds ?? []).join('|')

const PART = new RegExp(`(?<=[,.!?;、。])|(?<=${CLAUSE_ENDS})`)

function says(text: string, order: 'asksForQuiet' | 'hintsAtQuiet' | 'changes' | 'letsTalk'): boolean {
  const said = plainWords(text)
  return LANGUAGES.some(language => language[order].test(said))
}
