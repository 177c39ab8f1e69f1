import {
  type Answer,
  contentWords,
  inAnyLanguage,
  isGrammar,
  isQuestion,
  isUnspaced,
  kindOf,
  LANGUAGES,
  personIn,
  type Question,
  read,
  readQuoted,
  recallClaim,
  type Source,
  type Wanted,
  withoutAsking,
  withoutCall,
  withoutPolite,
} from '@kikimimi/speech-acts/rules'

export type { Answer } from '@kikimimi/speech-acts/rules'

/** The earlier message or memory that answers a question. Undefined without one: no answer is better than a wrong one. */
export function recall(question: Question, sources: readonly Source[]): Answer | undefined {
  const found = searched(question, sources)
  return found && 'wanted' in found ? read(found.wanted, found.memories, found.talk) : found
}

/** What a question is searched for, and where. */
export interface Search {
  readonly wanted: Wanted
  readonly memories: readonly Source[]
  readonly talk: readonly Source[]
}

/** What the reader searches for a question; the answer to one that needs no search. */
export function searched({ text, asker }: Question, sources: readonly Source[]): Answer | Search | undefined {
  const speakers = new Set(sources.flatMap(source => readQuoted(source).name ?? []))
  const others = [...speakers].filter(name => name !== asker && mentions(text, name))
  const own = asker !== undefined && FIRST_PERSON.test(withoutPolite(text))

  const told = sources.filter(source => !isQuestion(source.text))
  const claimed = others.length > 0 || own ? recallClaim({ text, asker }, others[0], told) : undefined
  if (claimed) return { source: readQuoted(claimed) }

  // "My cat" is not the cat of another person, and a question about Bob is not answered with Alice.
  const admits = (source: Source, about: readonly Source[]) => {
    const named = (name: string, one: Source) => one.name === name || mentions(one.text, name)
    const fits =
      others.length > 0
        ? others.some(name => named(name, source) || about.some(one => mentions(one.text, name)))
        : !own ||
          source.name === asker ||
          about.some(one => one.name === asker && isQuestion(one.text)) ||
          (source.name === undefined && mentions(source.text, asker))
    const person = personIn(source, text)
    return fits && (person === undefined || mentions(text, person) || (own && person === asker))
  }

  const asksOf = others.reduce(
    (rest, name) => ['’s', "'s", ''].reduce((part, end) => part.replaceAll(`${name}${end}`, ' '), rest),
    text,
  )
  const isEmpty = !hasTopic(asksOf)
  if (isEmpty && SAYING.test(text) && (own || others.length > 0)) {
    const source = sources.findLast(one => one.name !== undefined && !isQuestion(one.text) && admits(one, []))
    return source && { source }
  }
  // "And when?" is about what the same person asked before.
  const before = isEmpty && others.length === 0 ? sources.findLast(one => one.name === asker && isTopical(one.text)) : undefined
  if (isEmpty && others.length === 0 && (!before || kindOf(text) === undefined)) return undefined
  const topic = withoutAsking(before ? withoutCall(before.text) : asksOf)
  const wanted = {
    question: text,
    topic,
    people: [...speakers],
    named: others,
    ofAsker: own,
    reported: SAYING.test(text),
    admits,
  }
  const isPast = LANGUAGES.some(({ before }) => before.test(text))
  const memories = sources.filter(({ name }) => name === undefined).map(readQuoted)
  return {
    wanted,
    memories: memories.filter(({ over }) => isPast || !over),
    talk: sources.filter(({ name }) => name !== undefined),
  }
}

function isTopical(text: string): boolean {
  return isQuestion(text) && hasTopic(withoutCall(text))
}

function hasTopic(question: string): boolean {
  return contentWords(withoutAsking(question)).size > 0
}

/** Facts in the memory sections of a prompt. A prompt lists the best first; here they are last. */
export function factsIn(prompt: string): Source[] {
  const facts: Source[] = []
  let memory = 0
  for (const line of prompt.split('\n')) {
    const [, hashes = '', heading = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? []
    // A memory section includes the headings below its own.
    if (hashes !== '' && (memory === 0 || hashes.length <= memory)) memory = MEMORY.test(heading) ? hashes.length : 0
    const fact = memory > 0 ? /^[-*] (.+)$/.exec(line)?.[1] : undefined
    if (fact !== undefined) facts.unshift({ text: fact })
  }
  return facts
}

const FIRST_PERSON = inAnyLanguage('firstPerson')

const SAYING = inAnyLanguage('saying')

const MEMORY = inAnyLanguage('memory')

/**
 * Matches whole words in Latin script, so that "an" is not Ann, and any position in scripts without spaces. A name that is also
 * a word of grammar, such as Will, needs its capital letter, and another word before it.
 */
function mentions(text: string, name: string): boolean {
  if (isUnspaced(name))
    return name.length > 1 ? text.includes(name) : new RegExp(`${name}(?:さん|くん|君|ちゃん)`, 'u').test(text)
  if (name === '') return false
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const whole = `${escaped}(?![\\p{Script=Latin}\\p{N}_])`
  if (isGrammar(name)) return new RegExp(`\\S\\s+${whole.charAt(0).toUpperCase()}${whole.slice(1)}`, 'u').test(text)
  return new RegExp(`(?<![\\p{Script=Latin}\\p{N}_])${whole}`, 'iu').test(text)
}
