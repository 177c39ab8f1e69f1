/** Finds conversation partners: by mentions, replies, and names at the beginning of a message. */
import { type Message, addressees as marked } from 'kikimimi'
import { alternatives } from '../language.ts'
import { calledFirst } from './called.ts'
import { spoken } from './spoken.ts'

/** `likely`: the bot spoke to all, directly after that person. */
export type Partner = 'bot' | 'likely' | 'other'

/** A message of the bot that addresses no one is for the person who wrote before it, within this time. */
const ANSWER_WITHIN = 2 * 60_000

/** The last conversation partner of the author: the person that the author addressed last, or that addressed the author. */
export function partnerOf({ author }: Message, before: readonly Message[]): Partner | undefined {
  for (const [index, one] of before.entries()) {
    if (one.own) {
      const to = addressees(one, before.slice(index + 1))
      if (to.has(author.id)) return 'bot'
      const answered = to.size === 0 ? answeredBy(one, before.slice(index + 1)) : undefined
      // A message directly after one that addresses the bot is the answer to it.
      if (answered?.author.id === author.id) return answered.addressed ? 'bot' : 'likely'
    } else if (one.author.id === author.id) {
      if (one.addressed) return 'bot'
      if (addressees(one, before.slice(index + 1)).size > 0) return 'other'
    } else if (addressees(one, before.slice(index + 1)).has(author.id)) return 'other'
  }
  return undefined
}

/** The message that the bot probably answered: the one directly before its words. */
function answeredBy(word: Message, before: readonly Message[]): Message | undefined {
  const last = before.find(({ own }) => !own)
  return last && word.at.getTime() - last.at.getTime() <= ANSWER_WITHIN ? last : undefined
}

/** Whether a message addresses other people or another bot, and not this one. */
export function talksToOthers(message: Message, before: readonly Message[]): boolean {
  if (message.addressed !== undefined) return false
  const said = spoken(message.text)
  return addressesAll(said) || GROUP.test(said) || COMMAND.test(said) || addressees(message, before).size > 0
}

/** Whether a text mentions everybody. */
export function addressesAll(text: string): boolean {
  return EVERYBODY.test(text)
}

/** Mentions of everybody, as Discord, Slack and people write them. */
const EVERYBODY = new RegExp(`(?:^|\\s)@(?:${alternatives('everybody')})(?![\\p{L}\\p{N}_])|<!(?:here|channel|everyone)>`, 'u')

/** A mention of a role or a user group, which has its name or its id, and no person. */
const GROUP = /(?:^|[\s(、。])@\p{L}[\p{L}\p{N}_.-]*(?![/\p{L}\p{N}(])|<@&\d+>/u

/** A command of another bot: `/grok …`, `!play …`, `$natural …`, `pls meme`. */
const COMMAND =
  /^\s*(?:[/!$?;%.]{1,2}(?!net\b)[a-z][\w-]*(?:\s|$)|(?:pls|owo|uwu) (?:meme|beg|dep|with|bal|balance|search|hunt|fish|dig|daily|weekly|rob|slots|gamble|crime|shop|inv|inventory|profile|trivia|work|pray|curse|battle|cash|zoo|coinflip|rank|level)\b)/

/** The ids of the people that a message mentions, answers or begins with the name of, without its author. */
export function addressees(message: Message, before: readonly Message[]): ReadonlySet<string> {
  const found = marked(message, before)
  const name = found.size === 0 && message.mentions.length === 0 && message.replyTo === undefined ? nameIn(message) : undefined
  const called = name && before.find(({ author }) => isCalled(author.name, name))
  return called && called.author.id !== message.author.id ? new Set([called.author.id]) : found
}

/** A cache, because each message is examined again for each later one. */
const names = new WeakMap<Message, ReturnType<typeof calledFirst>>()

function nameIn(message: Message): ReturnType<typeof calledFirst> {
  if (!names.has(message)) names.set(message, calledFirst(message.text))
  return names.get(message)
}

/** A name matches whole or by its first part. */
function isCalled(name: string, said: readonly string[]): boolean {
  const whole = foldName(name)
  const [first = ''] = whole.split(/[\s_@(（/|]/u)
  return said.some(one => one === whole || (one === first && [...first].length >= 2))
}

function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim()
}
