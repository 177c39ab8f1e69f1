import type { Conversation, Message, Turn } from 'kikimimi'
import type { Options } from './options.ts'
import type { Plan } from './plans.ts'
import { type Sign, signIn } from './signs/signs.ts'
import { talksIn } from './talks.ts'

/** A conversation that the model may be asked about. */
export interface Seen {
  readonly talk: readonly Message[]
  /** It has a sign of trouble, or the model is asked without signs. */
  readonly signed: boolean
  /** The strength of its sign. Without a sign 0. */
  readonly strength: number
}

/**
 * The conversations of a turn that the model may be asked about, most urgent first. Empty: none.
 *
 * @param isDue whether the model may be asked about a conversation with this sign, or without one
 */
export function pressing(
  turn: Turn,
  options: Bounds & Pick<Options, 'signs'>,
  isDue: (sign: Sign | undefined) => boolean,
): readonly Seen[] {
  const all = judgeable(turn, options).sort((one, other) => (other.sign?.strength ?? 0) - (one.sign?.strength ?? 0))
  const seen = ({ talk, sign }: (typeof all)[number]) => ({ talk, signed: true, strength: sign?.strength ?? 0 })
  if (!options.signs) return all.map(seen)
  const signed = all.filter(({ sign }) => sign !== undefined && isDue(sign)).map(seen)
  if (signed.length > 0 || !isDue(undefined)) return signed
  // A conversation needs two people. Of several, the one with most messages counts.
  const [busiest] = all
    .filter(({ talk }) => new Set(talk.filter(({ own }) => !own).map(({ author }) => author.id)).size > 1)
    .sort((one, other) => other.talk.length - one.talk.length)
  return busiest ? [{ talk: busiest.talk, signed: false, strength: 0 }] : []
}

/** Whether people quarrel in the messages since the last turn. */
export function isHeated(turn: Turn, options: Bounds): boolean {
  return judgeable(turn, options).some(({ sign }) => sign?.kind === 'heat')
}

type Bounds = Pick<Options, 'bufferSize' | 'minMessages'>

/** Conversations that are long enough and have a new message, with their signs. */
function judgeable({ messages, history }: Turn, { bufferSize, minMessages }: Bounds) {
  const news = new Set(messages.map(({ id }) => id))
  return talksIn(history.slice(-bufferSize))
    .filter(talk => talk.filter(({ own }) => !own).length >= minMessages && talk.some(({ id }) => news.has(id)))
    .map(talk => ({ talk, sign: signIn(talk, news) }))
}

/** The conversation of a plan, or the one with most messages. */
export function planned(talks: readonly Seen[], plan: Plan | undefined): Seen | undefined {
  return talks.find(({ talk }) => talk.some(({ id }) => id === plan?.message)) ?? talks[0]
}

/** A plan is valid until its conversation has been judged. */
export function holds(plan: Plan, { messages }: Turn): boolean {
  return messages.some(({ id }) => id === plan.message)
}

/** Number of messages of people in a conversation since the plan was made. */
export function messagesSince({ message }: Plan, talk: readonly Message[]): number {
  const at = talk.findIndex(({ id }) => id === message)
  return talk.slice(at + 1).filter(({ own }) => !own).length
}

export function listensIn(channels: readonly string[], { channel, name, visibility }: Conversation): boolean {
  return visibility !== 'direct' && channels.some(one => one === channel || one.replace(/^#/, '') === name)
}
