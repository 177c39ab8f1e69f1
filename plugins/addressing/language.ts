/**
 * How people address each other, ask, answer and say goodbye, in each language. Texts come in lower case and folded width.
 */
import { anyOf, languagesIn } from 'kikimimi'

/** A kind of question: its words, and the words of its answers. */
interface Kind {
  readonly asks?: RegExp
  readonly gives?: RegExp
}

export const KINDS = ['where', 'who', 'when', 'how', 'what', 'whether'] as const

export interface Language {
  /** Honorifics after a name, such as `さん`. Source of a pattern. */
  readonly honorifics?: string
  /** Words before a name that keep the address, such as greetings. Source of a pattern. */
  readonly greetings: string
  /** Particles and words that may follow a name without a space. Source of a pattern. */
  readonly attached?: string
  /** Laughter that stands alone. It counts as a pause. Source of a pattern. */
  readonly laughter: string
  /** A suffix of a name that addresses the person. Source of a pattern. */
  readonly vocative?: string
  /** A greeting or thanks at the end of the words before a name. */
  readonly greets?: RegExp
  /** Words directly after a name that tell about the person. */
  readonly tells?: RegExp
  /** Words after a sentence that report it: 「…？って言ってた」. */
  readonly reports?: RegExp
  /** Words directly before a name that tell about the person: "ask kiki". */
  readonly takesName?: RegExp
  /** Words directly after a name that address the person. Source of a pattern. */
  readonly toName: string
  /** The words before a name at the end, if they address the person: "what do you think kiki?". */
  readonly toYou: RegExp
  /** Words for everybody after an `@`. Source of a pattern. */
  readonly everybody: string

  /** A question that refers to an earlier message. */
  readonly refersBack: RegExp
  /** Asks one of the people there. */
  readonly asksAnother: RegExp
  /** Asks everybody there, if the text is a question. */
  readonly asksAll?: RegExp
  /** Asks everybody there. */
  readonly asksForHelp: RegExp

  /** Says no. It is no nod. */
  readonly denies?: RegExp
  /** Offers to do something, or asks what to do, also without a question mark. */
  readonly offers: RegExp
  // Only for Korean: the model of speech acts replaces the lists from here to takesBackLead in English and Japanese.

  /** Words that acknowledge, agree, thank or say goodbye and need no answer. Source of a pattern, longer ones first. */
  readonly closing?: string
  /** Asks for something more. */
  readonly goesOn?: RegExp
  /** Thanks and goodbyes among other words. */
  readonly leaves?: RegExp
  readonly thanks?: RegExp

  /** Takes a question back. Matched with each clause. */
  readonly takesBack?: RegExp
  /** Words before such a clause. Source of a pattern. */
  readonly takesBackLead?: string
  /** Says that the problem remains. */
  readonly still: RegExp

  /** Words before an answer. Source of a pattern. */
  readonly answerLead: string
  /** The author talks about themselves, or has the same question. */
  readonly elsewhere: RegExp
  readonly kinds: Readonly<Record<(typeof KINDS)[number], Kind>>
  /** States a fact. */
  readonly states: RegExp
  /** Words that occur in any question. */
  readonly common: readonly string[]
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

type Keys<T> = { [K in keyof Language]-?: Language[K] extends T ? K : never }[keyof Language]

/** The patterns of all languages, as one. */
export function inAnyLanguage(key: Keys<RegExp | undefined>): RegExp {
  return anyOf(LANGUAGES.map(language => language[key]))
}

/** Sources of patterns of all languages, as alternatives. */
export function alternatives(key: Keys<string | undefined>): string {
  return LANGUAGES.flatMap(language => language[key] ?? []).join('|')
}
