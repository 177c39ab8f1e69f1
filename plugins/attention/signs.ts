/**
 * The signs by which a message is weighed: who wrote it, when, and to whom. None depends on a language or a platform except the
 * three that read the text: whether it is a question, whether it only takes note, and whom it names. Times and counts are on a log scale, because
 * a minute matters in a fast channel as much as an hour in a slow one.
 */
import { closes, takesLeave } from '@kikimimi/judge-rules/closing'
import { talksToOthers } from '@kikimimi/judge-rules/partners'
import { endsWithQuestion } from '@kikimimi/judge-rules/question'
import type { Message, Turn } from 'kikimimi'
import { type Link, linksIn } from './links.ts'

export const SIGNS = [
  'toOthers',
  'sinceBot',
  'messagesSinceBot',
  'rightAfterBot',
  'sinceExchange',
  'exchanges',
  'turns',
  'othersWithBot',
  'continues',
  'closing',
  'question',
] as const

export type Sign = (typeof SIGNS)[number]

/** A longer time counts as this one. */
const DAY_SECONDS = 24 * 60 * 60

/** The number of messages after which an exchange counts half. */
const HALF_LIFE = 20

/** Messages since the bot's words, if there are none in the history, beyond its length. */
const BEYOND = 20

/** A cache, because each message of a batch has the same history. */
const linksOf = new WeakMap<readonly Message[], readonly Link[]>()

/** The signs of a message of the turn, from the conversation before it. */
export function signsOf({ history, lastReplyAt, me }: Turn, message: Message): Readonly<Record<Sign, number>> {
  const links = linksOf.get(history) ?? linksIn(history)
  linksOf.set(history, links)
  const at = history.findIndex(({ id }) => id === message.id)
  const before = history.slice(0, Math.max(0, at)).reverse()
  const ownAt = before.findIndex(({ own }) => own)
  const author = message.author.id

  let [withBot, withOthers, afterBot, afterOthers, othersWithBot] = [0, 0, 0, 0, 0]
  let exchange: Message | undefined
  for (const [index, one] of before.entries()) {
    const weight = 2 ** (-index / HALF_LIFE)
    const { to, after } = links[at - 1 - index] ?? { to: new Set() }
    if (one.own && to.has(author)) withBot += weight
    else if (one.own && to.size === 0 && after === author) afterBot += weight
    else if (one.own) continue
    else if (one.author.id === author && (one.addressed || to.has(me.id))) withBot += weight
    else if (one.author.id === author && to.size > 0) withOthers += weight
    else if (one.author.id === author && after === me.id) afterBot += weight
    else if (one.author.id === author && after !== undefined) afterOthers += weight
    else if (to.has(author)) withOthers += weight
    else if (after === author) afterOthers += weight
    if (!one.own && one.author.id !== author && one.addressed) othersWithBot += weight
    const isExchange = one.own ? to.has(author) : one.author.id === author && (one.addressed || to.has(me.id))
    if (isExchange) exchange ??= one
  }

  const secondsSince = (then: Date | undefined) =>
    then ? Math.min(DAY_SECONDS, Math.max(0, (message.at.getTime() - then.getTime()) / 1_000)) : DAY_SECONDS
  const messages = ownAt < 0 ? before.length + BEYOND : ownAt
  return {
    toOthers: talksToOthers(message, before) ? 1 : 0,
    sinceBot: log(Math.min(secondsSince(before[ownAt]?.at), secondsSince(lastReplyAt))),
    messagesSinceBot: log(messages),
    rightAfterBot: 1 / (1 + messages),
    sinceExchange: log(secondsSince(exchange?.at)),
    exchanges: share(withBot, withOthers),
    turns: share(afterBot, afterOthers),
    othersWithBot: log(othersWithBot),
    continues: links[at]?.after === me.id ? 1 : 0,
    closing: closes(message.text) || takesLeave(message.text) ? 1 : 0,
    question: endsWithQuestion(message.text) ? 1 : 0,
  }
}

function log(count: number): number {
  return Math.log2(1 + count)
}

/** The share of one count, near 0.2 without any. */
function share(one: number, other: number): number {
  return (one + 0.2) / (one + other + 1)
}
