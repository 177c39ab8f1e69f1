/** Who talks with whom: by mentions and replies, and by the names that people begin a message with. */
import type { Message } from 'kikimimi'
import { alternatives } from '../language.ts'
import { calledFirst } from './called.ts'

/** `likely`: the bot said something to nobody in particular, right after that person. */
export type Partner = 'bot' | 'likely' | 'other'

/** What the bot says within this time after somebody is for that person, if it names nobody. */
const ANSWER_WITHIN = 2 * 60_000

/** With whom the author of a message was talking: who spoke to whom last, the author or somebody to the author. */
export function partnerOf({ author }: Message, before: readonly Message[]): Partner | undefined {
  for (const [index, one] of before.entries()) {
    if (one.own) {
      const to = addressees(one, before.slice(index + 1))
      if (to.has(author.id)) return 'bot'
      const answered = to.size === 0 ? answeredBy(one, before.slice(index + 1)) : undefined
      // What follows right after a call is the answer to it.
      if (answered?.author.id === author.id) return answered.addressed ? 'bot' : 'likely'
    } else if (one.author.id === author.id) {
      if (one.addressed) return 'bot'
      if (addressees(one, before.slice(index + 1)).size > 0) return 'other'
    } else if (addressees(one, before.slice(index + 1)).has(author.id)) return 'other'
  }
  return undefined
}

/** The message that the bot's words seem to answer: the one right before them. */
function answeredBy(word: Message, before: readonly Message[]): Message | undefined {
  const last = before.find(({ own }) => !own)
  return last && word.at.getTime() - last.at.getTime() <= ANSWER_WITHIN ? last : undefined
}

/** Whether a message is for somebody else, or for everybody, and not for the bot. */
export function talksToOthers(message: Message, before: readonly Message[]): boolean {
  return message.addressed === undefined && (EVERYBODY.test(message.text) || addressees(message, before).size > 0)
}

/** Mentions of everybody, as Discord, Slack and people write them. */
const EVERYBODY = new RegExp(`(?:^|\\s)@(?:${alternatives('everybody')})(?![\\p{L}\\p{N}_])|<!(?:here|channel|everyone)>`, 'u')

/** Somebody who is not known any more. */
const SOMEBODY = ''

/** Ids of those that a message speaks to, its own author left out. */
export function addressees(message: Message, before: readonly Message[]): ReadonlySet<string> {
  const found = new Set(message.mentions.map(({ id }) => id))
  if (message.replyTo !== undefined) {
    const answered = before.find(({ id }) => id === message.replyTo)
    found.add(answered?.author.id ?? SOMEBODY)
  }
  if (found.size === 0) {
    const name = nameIn(message)
    const called = name === undefined ? undefined : before.find(({ author }) => isCalled(author.name, name))
    if (called) found.add(called.author.id)
  }
  found.delete(message.author.id)
  return found
}

/** Each message is looked at as often as one after it is judged. */
const names = new WeakMap<Message, ReturnType<typeof calledFirst>>()

function nameIn(message: Message): ReturnType<typeof calledFirst> {
  if (!names.has(message)) names.set(message, calledFirst(message.text))
  return names.get(message)
}

/** People are called by their whole name, or by its first part. */
function isCalled(name: string, said: readonly string[]): boolean {
  const whole = foldName(name)
  const [first = ''] = whole.split(/[\s_@(（/|]/u)
  return said.some(one => one === whole || (one === first && [...first].length >= 2))
}

function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim()
}
