/** How people call each other, ask, answer and take leave, in each language. Texts come in lower case and folded width. */
import { anyOf, languagesIn } from 'kikimimi'

/** What a question asks for, and what gives it. */
interface Kind {
  readonly asks?: RegExp
  readonly gives?: RegExp
}

export const KINDS = ['where', 'who', 'when', 'how', 'what', 'whether'] as const

export interface Language {
  /** What people put behind a name, such as `さん`. Source of a pattern. */
  readonly honorifics?: string
  /** Said before a name without changing whom one talks to. Source of a pattern. */
  readonly greetings: string
  /** What one says to somebody and not about them, right after the name. Source of a pattern. */
  readonly toName: string
  /** Speaks to somebody whose name follows at the end: "what do you think, kiki?". */
  readonly toYou?: RegExp
  /** Everybody, behind an `@`. Source of a pattern. */
  readonly everybody: string

  /** A question that only makes sense after something else. */
  readonly refersBack: RegExp
  /** Somebody there is asked. */
  readonly asksAnother: RegExp
  /** Whoever is there is asked, when the text is a question. */
  readonly asksAll?: RegExp
  /** Whoever is there is asked. */
  readonly asksForHelp: RegExp

  /** Words that take note, agree, thank or take leave, and want no answer. Source of a pattern, longer ones first. */
  readonly closing: string
  /** Somebody wants something more. */
  readonly goesOn: RegExp
  /** Thanks and goodbyes, among other words. */
  readonly leaves: RegExp
  readonly thanks: RegExp

  /** A question is taken back, clause by clause. */
  readonly takesBack: RegExp
  /** Said before that. Source of a pattern. */
  readonly takesBackLead: string
  /** It still does not work. */
  readonly still: RegExp

  /** Said before an answer. Source of a pattern. */
  readonly answerLead: string
  /** Somebody tells of themselves, or wonders too. */
  readonly elsewhere: RegExp
  readonly kinds: Readonly<Record<(typeof KINDS)[number], Kind>>
  /** Says how something is. */
  readonly states: RegExp
  /** Words that are in any question. */
  readonly common: readonly string[]
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

type Keys<T> = { [K in keyof Language]-?: Language[K] extends T ? K : never }[keyof Language]

/** One pattern of all languages. */
export function inAnyLanguage(key: Keys<RegExp | undefined>): RegExp {
  return anyOf(LANGUAGES.map(language => language[key]))
}

/** Sources of patterns of all languages, as alternatives. */
export function alternatives(key: Keys<string | undefined>): string {
  return LANGUAGES.flatMap(language => language[key] ?? []).join('|')
}
