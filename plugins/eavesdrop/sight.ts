import type { Conversation, Message, Turn } from 'kikimimi'
import type { Options } from './options.ts'
import type { Plan } from './plans.ts'
import { signIn } from './signs.ts'
import { talksIn } from './talks.ts'

/** Talks in a turn that the model may be asked about, the most pressing first. Empty: nothing to ask. */
export function pressing(turn: Turn, options: Bounds & Pick<Options, 'signs'>): readonly (readonly Message[])[] {
  return judgeable(turn, options)
    .flatMap(({ talk, sign }) => {
      const strength = sign?.strength ?? (options.signs ? undefined : 0)
      return strength === undefined ? [] : { talk, strength }
    })
    .sort((one, other) => other.strength - one.strength)
    .map(({ talk }) => talk)
}

/** Whether people quarrel in what was said since the last look. */
export function isHeated(turn: Turn, options: Bounds): boolean {
  return judgeable(turn, options).some(({ sign }) => sign?.kind === 'heat')
}

type Bounds = Pick<Options, 'bufferSize' | 'minMessages'>

/** Talks that are long enough and have something new, with the signs that they give. */
function judgeable({ messages, history }: Turn, { bufferSize, minMessages }: Bounds) {
  const news = new Set(messages.map(({ id }) => id))
  return talksIn(history.slice(-bufferSize))
    .filter(talk => talk.filter(({ own }) => !own).length >= minMessages && talk.some(({ id }) => news.has(id)))
    .map(talk => ({ talk, sign: signIn(talk, news) }))
}

/** The talk that a plan is about, or the one that says most. */
export function planned(talks: readonly (readonly Message[])[], plan: Plan | undefined): readonly Message[] | undefined {
  return talks.find(talk => talk.some(({ id }) => id === plan?.message)) ?? talks[0]
}

/** A plan holds while what it is about has not been looked at for good. */
export function holds(plan: Plan, { messages }: Turn): boolean {
  return messages.some(({ id }) => id === plan.message)
}

/** How many messages of people came in a talk after the plan was made. */
export function messagesSince({ message }: Plan, talk: readonly Message[]): number {
  const at = talk.findIndex(({ id }) => id === message)
  return talk.slice(at + 1).filter(({ own }) => !own).length
}

export function listensIn(channels: readonly string[], { channel, name, visibility }: Conversation): boolean {
  return visibility !== 'direct' && channels.some(one => one === channel || one.replace(/^#/, '') === name)
}
