/** How people give orders about the bot's memory, in each language. */
import type { OrderText } from '@kikimimi/orders'
import { languagesIn } from 'kikimimi'
import type { Row } from './tags.ts'

/** What a phrase asks for. */
export type Asked =
  | 'know'
  | 'forget-me'
  | 'opt-out'
  /** Read only from people who have opted out. From others, some of these phrases mean something else. */
  | 'opt-in'
  /** Remember what was said before, or beside the phrase. */
  | 'keep'
  /** Leave out what is said beside the phrase, or around it. */
  | 'this'
  /** Leave out the messages before. */
  | 'last'
  /** Forget the message before: between people, these words mean something else. */
  | 'drop'
  /** Leave out the messages after. */
  | 'next'
  /** End what `next` began. */
  | 'over'

export interface Language {
  /** A letter of the language. */
  readonly letter: RegExp
  /** The words of the text, as tags. Names of the bot are words that change nothing. */
  row(said: OrderText, names: readonly string[]): Row
  /** Reads a whole phrase, given as tags without signs. The first pattern that matches counts. */
  readonly phrases: readonly (readonly [RegExp, Asked])[]
  /** Matches a clause beside "leave that out" that has no content: a reason, an excuse. */
  readonly reason: RegExp
  /** Matches what means some of several things. */
  readonly someOf: RegExp
  /** Texts that only look like a request. */
  readonly notMeant: RegExp

  /** The place of what is to be remembered. */
  content(said: OrderText, row: Row): Span | undefined
  /** The place of whom or what a message is about that is to be remembered: "remember that about Bob". */
  about(said: OrderText, row: Row): Span | undefined
  /** The place of the topic to forget. */
  topic(said: OrderText, row: Row): Span | undefined
  /**
   * A clause and a request to forget "that": group `topic` is the clause. It counts if it has a word of `changed`: "bob's back from leave, so
   * you can forget that". The bot asks. Absent: none.
   */
  readonly outdated?: RegExp
  readonly changed?: RegExp
  /** Matches contents that are none: they ask for something else, or name nothing. */
  readonly emptyContent?: RegExp
  /** Matches contents that name a thing and say nothing about it: "my shoe size". */
  readonly onlyNamed: RegExp

  /** Matches words that stand for a person or a thing: "him". The whole text. */
  readonly pronoun: RegExp
  /** Matches what is also about its author: "I", "my". */
  readonly self: RegExp

  /** An order in the form of a question. */
  readonly request: RegExp
  /** Signs of a joke. An order that cannot be undone must not contain one. */
  readonly jokes: RegExp

  /** Answers to a numbered list. Sources of patterns. */
  readonly choice: {
    readonly all: string
    readonly none: string
    readonly yes: string
    /** Words before a number, with their space. */
    readonly lead?: string
    /** Words after a number. */
    readonly ordinal?: string
    /** Words between two numbers. */
    readonly and: string
    /** Words after an answer. */
    readonly after: string
  }
}

export type Span = readonly [from: number, to: number]

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
