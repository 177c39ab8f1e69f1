/** What people say that words mean. Rules read it; no model is asked. */
import { isInstruction, ownPassages } from '@kikimimi/facts'
import { type Message, nameMatcher, type Person } from 'kikimimi'
import { LANGUAGES } from './language.ts'

/** A word, and what a message says that it means. */
export interface Definition {
  readonly word: string
  readonly meaning: string
  /** The person whose nickname it is. */
  readonly person?: string | undefined
  /** The message that says it, and the question that it answers. */
  readonly said: Message
  readonly question?: Message | undefined
}

/** Characters of a message that are read. A definition is short. */
const READ = 1_000
/** Characters of a sentence. A longer one is none that the rules know. */
const LONGEST = 300
/** Definitions of one message. */
const MOST = 5
/** How long a question waits for its answer, in milliseconds. */
const PATIENCE = 10 * 60_000

/** A word in lower case and folded width. */
export function keyOf(word: string): string {
  return word.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Whether a text has a word. An abbreviation such as `IT` counts in its own letters only. */
export function hasWord(text: string, word: string): boolean {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ')
  if (nameMatcher([word]).test(plain)) return true
  return !/^\p{Lu}{2}$/u.test(word) && nameMatcher([keyOf(word)]).test(plain.toLowerCase())
}

/**
 * The definitions in messages, oldest first.
 *
 * @param history messages before and among them, for questions and for the names of people
 * @param bot names of the bot
 */
export function definitionsIn(messages: readonly Message[], history: readonly Message[], bot: readonly string[]): Definition[] {
  const people = [...history, ...messages].filter(({ own }) => !own).flatMap(({ author, mentions }) => [author, ...mentions])
  return messages.flatMap(message => {
    if (!isHeard(message)) return []
    const names = people.filter(({ id }) => id !== message.author.id).map(({ name }) => name)
    const sentences = sentencesOf(message, names, bot)
    const found = sentences.map(sentence => inSentence(sentence, message.author, people)).filter(one => one !== undefined)
    const answer = found.length === 0 && answerIn(sentences[0], message, history, bot)
    return [...found, ...(answer ? [answer] : [])]
      .filter(({ word, meaning }) => isAllowed(word, meaning, bot))
      .slice(0, MOST)
      .map(one => ({ ...one, said: message }))
  })
}

/** The word of a whole message that asks for its meaning, or tells the bot to forget it. */
export function orderIn(
  text: string,
  bot: readonly string[],
): { readonly kind: 'ask' | 'forget'; readonly word: string } | undefined {
  const [sentence, ...more] = split(text, bot)
  if (sentence === undefined || more.length > 0) return undefined
  const asked = match(sentence, ({ asks }) => asks)?.word
  if (asked) return { kind: 'ask', word: bare(asked) }
  const gone = match(sentence, ({ forgets }) => [forgets])?.word
  return gone ? { kind: 'forget', word: bare(gone) } : undefined
}

/** Whether a message is a definition and nothing else. */
export function isDefinition({ text }: Message, bot: readonly string[]): boolean {
  return split(text, bot).length === 1
}

/** What may be kept: no instruction to the bot, and no name of the bot. */
export function isAllowed(word: string, meaning: string, bot: readonly string[]): boolean {
  if (word.length < 2 || meaning.length < 2 || keyOf(word) === keyOf(meaning)) return false
  if (bot.some(name => keyOf(name) === keyOf(word))) return false
  return !isInstruction(meaning, bot) && !isInstruction(`${word} means ${meaning}`, bot)
}

function inSentence(sentence: string, author: Person, people: readonly Person[]): Omit<Definition, 'said'> | undefined {
  if (sentence.endsWith('?')) return undefined
  const called = match(sentence, ({ calls }) => calls)?.word
  if (called && isWord(called)) return { word: bare(called), meaning: author.name, person: author.id }
  const named = match(sentence, ({ names }) => names)
  const person = named?.name && personOf(named.name, people)
  if (person && named.word && isWord(named.word) && !personOf(named.word, people))
    return { word: bare(named.word), meaning: person.name, person: person.id }
  const sure = match(sentence, ({ defines }) => defines)
  const stated = sure ?? match(sentence, ({ states }) => states)
  if (!stated?.word || !stated.meaning || !isWord(stated.word) || (!sure && !isJargon(stated.word))) return undefined
  if (LANGUAGES.some(({ noMeaning }) => noMeaning?.test(stated.meaning ?? ''))) return undefined
  const meant = personOf(stated.meaning, people)
  return { word: bare(stated.word), meaning: meant?.name ?? bare(stated.meaning), person: meant?.id }
}

/** "What is FOO?", and the answer of another person: "it is our ticket system". */
function answerIn(sentence: string | undefined, message: Message, history: readonly Message[], bot: readonly string[]) {
  const meaning = sentence && match(sentence, ({ explains }) => explains)?.meaning
  if (!meaning) return undefined
  const at = history.findIndex(({ id }) => id === message.id)
  const before = history.slice(0, Math.max(0, at))
  const question =
    message.replyTo === undefined
      ? before.findLast(({ author }) => author.id !== message.author.id)
      : before.find(({ id }) => id === message.replyTo)
  if (!question || !isHeard(question) || question.author.id === message.author.id) return undefined
  if (message.at.getTime() - question.at.getTime() > PATIENCE) return undefined
  const asked = match(split(question.text, bot).at(-1) ?? '', ({ asks }) => asks)?.word
  return asked && isWord(asked) && isJargon(asked) ? { word: bare(asked), meaning: bare(meaning), question } : undefined
}

function isHeard({ own, author, leftOut, text }: Message): boolean {
  return !own && !author.bot && !leftOut && text !== ''
}

function sentencesOf({ text }: Message, names: readonly string[], bot: readonly string[]): string[] {
  if (text.includes('```')) return []
  return ownPassages(text.slice(0, READ), names).flatMap(passage => split(passage, bot))
}

/** Sentences in folded width, without a call of the bot before and after them, and without their points. */
function split(text: string, bot: readonly string[]): string[] {
  const folded = text.slice(0, READ).normalize('NFKC').replace(/[’‘]/g, "'")
  const sentences = folded.split(/\n+|(?<=[.!?])\s+|(?<=[。?!])(?=[^\s?!])/u)
  return sentences.map(one => withoutCall(one, bot)).filter(one => one !== '' && one.length <= LONGEST)
}

function withoutCall(sentence: string, bot: readonly string[]): string {
  const trimmed = sentence.trim()
  const called = nameMatcher(bot)
  // A name elsewhere is what the sentence is about.
  const [first = ''] = /^@?[^\s,、:]{1,40}[\s,、:]+/u.exec(trimmed) ?? []
  const rest = first !== '' && called.test(first) ? trimmed.slice(first.length) : trimmed
  const [last = ''] = /[\s,、]@?[^\s,、]{1,40}$/u.exec(rest.slice(-50)) ?? []
  const kept = last !== '' && called.test(last) ? rest.slice(0, -last.length) + (/\?$/.exec(last)?.[0] ?? '') : rest
  return kept.trim().replace(/(?<![.!。\s])[.!。\s]+$/u, '')
}

function match(sentence: string, patternsOf: (language: (typeof LANGUAGES)[number]) => readonly RegExp[]) {
  for (const pattern of LANGUAGES.flatMap(patternsOf)) {
    const groups = pattern.exec(sentence)?.groups
    if (groups) return groups
  }
  return undefined
}

function isWord(word: string): boolean {
  return bare(word).length >= 2 && !LANGUAGES.some(({ noWord }) => noWord.test(bare(word)))
}

/** An abbreviation, a name of several parts, a word with a digit inside, a word in quotation marks, or one of Katakana, Han or Hangul. */
function isJargon(word: string): boolean {
  if (bare(word) !== word) return true
  if (/^[\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Latin}\p{N}ー・-]+$/u.test(word) && /[^\p{sc=Latin}\p{N}-]/u.test(word))
    return true
  if (/^\p{Lu}\S*(?: \p{Lu}\S*)+$/u.test(word)) return true
  return !word.includes(' ') && /\p{L}/u.test(word) && /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}|\p{N}|\p{L}[-_.]\p{L}/u.test(word)
}

/** Without the quotation marks around it. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^["'“「『](.*)["'”」』]$/u, '$1')
    .trim()
}

function personOf(name: string, people: readonly Person[]): Person | undefined {
  const wanted = keyOf(LANGUAGES.reduce((rest, { honorific }) => (honorific ? rest.replace(honorific, '') : rest), bare(name)))
  return people.find(one => keyOf(one.name) === wanted.replace(/^@/, ''))
}
