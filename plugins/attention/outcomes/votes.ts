/**
 * What people say about a decision of the bot, by what they do in the half hour after it: replies, reactions and corrections in full;
 * other signs are weak, and shared among the decisions that they can be about. Each person has one vote.
 */
import { lastOrder } from '@kikimimi/quiet/orders'
import type { Message, Person } from 'kikimimi'
import { corrects } from '../language.ts'
import { ANSWER_WITHIN_MS, type Line, linesOf } from '../links.ts'

export const WITHIN_MS = 30 * 60_000
/** Number of messages of people. */
const WITHIN = 15
/** A sign that is not explicit. */
const WEAK = 0.5
/** The bot is ignored if so many messages of people follow and none is for it. */
const IGNORED_FROM = 3

/** A decision to speak or to be silent. */
export interface Candidate {
  readonly at: Date
  /** The author of the message that triggered the turn. */
  readonly author: string
  /** The id of that message. */
  readonly message: string
  readonly spoke: boolean
  /** Ids of the messages of the bot. */
  readonly sent: readonly string[]
}

export interface Vote {
  readonly person: string
  /** −1…1. */
  readonly value: number
  /** The id of the message of the person. Absent: a reaction, or silence. */
  readonly message?: string
}

/**
 * @param talk the conversation from half an hour before the decision to half an hour after it, oldest first
 * @param all the decisions in that time, this one included
 */
export function votesOn(
  one: Candidate,
  talk: readonly Message[],
  { all, me, names }: { readonly all: readonly Candidate[]; readonly me: Person; readonly names: readonly string[] },
): readonly Vote[] {
  const lines = linesOf(talk)
  const after = lines.filter(({ message }) => isByPerson(message) && message.at > one.at).slice(0, WITHIN)
  const share = (at: Date) =>
    Math.max(
      1,
      all.filter(other => other.spoke === one.spoke && other.at <= at && at.getTime() - other.at.getTime() <= WITHIN_MS).length,
    )
  const votes = one.spoke ? onAnswer() : onSilence()
  return strongest(votes)

  function onAnswer(): Vote[] {
    const found = after.flatMap(line => {
      const { message } = line
      const own = talk.slice(0, talk.indexOf(message)).findLast(({ own }) => own)
      const isLast = own !== undefined && one.sent.includes(own.id)
      const isReply = message.replyTo !== undefined && one.sent.includes(message.replyTo)
      const isRefused = refuses(message, own?.at)
      const vote = (value: number): Vote[] => [{ person: message.author.id, value, message: message.id }]
      if (isReply || (isLast && (message.addressed || isRefused))) return vote(isRefused ? -1 : 1)
      return isLast && follows(line) ? vote(WEAK / share(message.at)) : []
    })
    const reactions = talk
      .filter(({ id }) => one.sent.includes(id))
      .flatMap(({ reactions = [], author }) =>
        reactions.flatMap(({ emoji, by }) =>
          by.filter(person => person !== author.id).map(person => ({ person, value: NEGATIVE.test(emoji) ? -1 : 1 })),
        ),
      )
    const votes = [...found, ...reactions]
    const isIgnored = after.length >= IGNORED_FROM && votes.length === 0
    return isIgnored ? [{ person: one.author, value: -WEAK / share(one.at) }] : votes
  }

  function onSilence(): Vote[] {
    return after.flatMap(({ message, to }) => {
      if (message.author.id === one.author) {
        return message.addressed ? [{ person: one.author, value: 1, message: message.id }] : []
      }
      const answersIt = message.replyTo === one.message || to.has(one.author)
      return answersIt ? [{ person: message.author.id, value: -WEAK / share(message.at), message: message.id }] : []
    })
  }

  /** The first line after the bot's words, if it addresses nobody else. */
  function follows({ message, to, toAll }: Line): boolean {
    const previous = talk[talk.indexOf(message) - 1]
    const isNext = previous !== undefined && one.sent.includes(previous.id)
    return isNext && to.size === 0 && !toAll && message.at.getTime() - previous.at.getTime() <= ANSWER_WITHIN_MS
  }

  function refuses(message: Message, lastReplyAt: Date | undefined): boolean {
    const order = lastOrder({ messages: [message], me, ...(lastReplyAt && { lastReplyAt }) }, names)
    return order?.kind === 'quiet' || corrects(message.text)
  }
}

/** One vote for each person: an explicit one before a weak one, a refusal before praise. */
function strongest(votes: readonly Vote[]): readonly Vote[] {
  const each = new Map<string, Vote>()
  for (const vote of votes) {
    const known = each.get(vote.person)
    const isStronger = !known || Math.abs(vote.value) > Math.abs(known.value)
    if (isStronger || (Math.abs(vote.value) === Math.abs(known.value) && vote.value < known.value)) each.set(vote.person, vote)
  }
  return [...each.values()]
}

function isByPerson({ own, author }: Message): boolean {
  return !own && author.bot !== true
}

/** Emojis that refuse, as platforms write them. */
const NEGATIVE =
  /👎|🤫|🤐|🔇|🛑|🚫|❌|😠|😡|🤬|🙄|😒|💩|thumbsdown|^:?-1:?|shush|zipper|\bmute|stop_sign|octagonal_sign|no_entry|\bx\b|angry|rage|cursing|eye_?roll|rolling_eyes|unamused|poop|hankey/u
