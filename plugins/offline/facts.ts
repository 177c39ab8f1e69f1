/** What somebody says of themselves, of their plans and of what was decided, told by how such sentences are built. */
import { LANGUAGES, languageOf } from './language.ts'
import { isQuestion } from './recall.ts'

export type Kind = 'durable' | 'preference' | 'current' | 'event'

export type Pattern = readonly [Kind, RegExp]

export interface Told {
  /** The sentence, as it stands in the text. */
  readonly text: string
  readonly kind: Kind
  /** Somebody else whom it is about, as it calls them. */
  readonly about?: string
}

/** Better none than a wrong one: what is doubtful, wished, asked, ordered, quoted or heard from others tells nothing. */
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

/** Without what is quoted from elsewhere: lines that begin with `>`, code, links. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter(line => !/^\s*[>＞]/.test(line))
    .flatMap(line => line.split(/(?<=[。！？!?])|(?<=[^\d\s.]\.)\s+/u))
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '' && !/https?:\/\/|`/.test(sentence))
}
