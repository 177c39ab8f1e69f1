/** Finds statements of people about themselves, their plans and decisions, by the form of the sentence. */
import { type Claim, claimIn } from './claims.ts'
import { LANGUAGES, languageOf } from './language.ts'
import { isQuestion } from './said.ts'
import { READ } from './words.ts'

export type Kind = 'durable' | 'preference' | 'current' | 'event'

export type Pattern = readonly [Kind, RegExp]

export interface Told {
  /** The sentence as it stands in the text. */
  readonly text: string
  readonly kind: Kind
  /** The other person whom it is about, as the sentence calls them. */
  readonly about?: string
}

/** Precision counts more than recall: doubts, wishes, questions, orders, quotes and hearsay give no fact. */
export function factsOf(text: string): Told[] {
  return sentencesOf(text).flatMap(sentence => {
    const plain = LANGUAGES.reduce(
      (rest, { factLead }) => (factLead ? rest.replace(factLead, '') : rest),
      sentence.normalize('NFKC').normalize('NFC'),
    )
    if (plain.length < 4 || plain.length > 200 || isQuestion(plain)) return []
    const told = languageOf(plain).told(plain)
    return told ? [{ text: sentence, ...told }] : []
  })
}

/** What a text says of its speaker in parts, if it is one statement about the present: "I live in Osaka". */
export function ownClaim(text: string): Claim | undefined {
  const [told, ...more] = factsOf(text)
  return told && more.length === 0 && told.about === undefined ? claimIn(told.text) : undefined
}

/** The text without quoted lines (`>`), code and links. */
function sentencesOf(text: string): string[] {
  const sentences = text
    .slice(0, READ)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter(line => !/^\s*[>＞]/.test(line))
    .flatMap(line => line.split(/(?<=[。！？!?])|(?<=[^\d\s.]\.)\s+/u))
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '' && !/https?:\/\/|`/.test(sentence))
  // The end of what is read is the beginning of a sentence.
  return text.length > READ ? sentences.slice(0, -1) : sentences
}
