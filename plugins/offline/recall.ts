import { personIn, recallClaim } from './claims.ts'
import { inAnyLanguage, languageOf } from './language.ts'
import { contentWords, isGrammar, isUnspaced, related } from './words.ts'

/** An earlier message or a memory. Without a name: a fact from a memory section. */
export interface Source {
  readonly name?: string
  readonly text: string
}

export interface Question {
  readonly text: string
  /** The person who asks, if the conversation shows it. */
  readonly asker?: string | undefined
}

/**
 * The earlier message that fits a question best; among equals the latest, so that corrections win. Undefined if it contains
 * less than half of the topic: no answer is better than a wrong one.
 */
export function recall({ text, asker }: Question, sources: readonly Source[]): Source | undefined {
  const speakers = new Set(sources.flatMap(({ name }) => (name === undefined || name === asker ? [] : [name])))
  const people = [...speakers].filter(name => mentions(text, name))
  const own = asker !== undefined && FIRST_PERSON.test(text)

  const told = sources.filter(source => !isQuestion(source.text))
  const claimed = people.length > 0 || own ? recallClaim({ text, asker }, people[0], told) : undefined
  if (claimed) return claimed

  // "My cat" is not the cat of another person, and a question about Bob is not answered with Alice.
  const admitted = sources.filter(source => {
    const about = (person: string) => source.name === person || mentions(source.text, person)
    const fits =
      people.length > 0 ? people.some(about) : !own || source.name === asker || (source.name === undefined && about(asker))
    const person = personIn(source, text)
    const isOther = person !== undefined && !mentions(text, person) && !(own && person === asker)
    return fits && !isOther && !isQuestion(source.text)
  })

  const wanted = [...contentWords(people.reduce((rest, name) => rest.replaceAll(name, ' '), text))]
  const whole = weigh(wanted)
  if (whole < 1)
    return SAYING.test(text) && (own || people.length > 0) ? admitted.findLast(({ name }) => name !== undefined) : undefined
  let best: Source | undefined
  let most = whole / 2
  for (const source of admitted) {
    const words = [...contentWords(source.text).keys()]
    const shared = weigh(wanted.filter(([word]) => words.some(other => related(word, other))))
    if (shared < most) continue
    best = source
    most = shared
  }
  return best
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

export function isQuestion(text: string): boolean {
  const last = text.trim().replace(AFTER_QUESTION, '')
  return /[?？]$/.test(last) || languageOf(last).question.test(last)
}

/** What may follow a question mark. */
const AFTER_QUESTION =
  /(?<![\s\)\]）」』。!！\p{Extended_Pictographic}\uFE0F])[\s\)\]）」』。!！\p{Extended_Pictographic}\uFE0F]+$/v

const FIRST_PERSON = inAnyLanguage('firstPerson')

const SAYING = inAnyLanguage('saying')

const MEMORY = inAnyLanguage('memory')

/**
 * Matches whole words in Latin script, so that "an" is not Ann, and any position in scripts without spaces. A name that is also
 * a word of grammar, such as Will, needs its capital letter, and another word before it.
 */
function mentions(text: string, name: string): boolean {
  if (isUnspaced(name)) return name.length > 1 && text.includes(name)
  if (name === '') return false
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const whole = `${escaped}(?![\\p{Script=Latin}\\p{N}_])`
  if (isGrammar(name)) return new RegExp(`\\S\\s+${whole.charAt(0).toUpperCase()}${whole.slice(1)}`, 'u').test(text)
  return new RegExp(`(?<![\\p{Script=Latin}\\p{N}_])${whole}`, 'iu').test(text)
}

function weigh(words: readonly (readonly [string, number])[]): number {
  return words.reduce((sum, [, weight]) => sum + weight, 0)
}
