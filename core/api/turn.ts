/** A turn and what the stages make of it: points, a decision, the context, a reply. */
import type { Address, Conversation, Message, Person } from './message.ts'

/** One look at a conversation, for the batch of messages that arrived since the last look. */
export interface Turn {
  readonly id: string
  readonly conversation: Conversation
  /** Since the last look, oldest first; never empty, and without the bot's own messages. */
  readonly messages: readonly Message[]
  /** The last of `messages` that addresses the bot, or else the last one: what a reply answers. */
  readonly message: Message
  /** Working memory, oldest first, the batch and the bot's own messages included. */
  readonly history: readonly Message[]
  readonly addressed?: Address
  /** When the bot last said something here. A reaction counts. */
  readonly lastReplyAt?: Date
  /** Who the bot is on this platform. */
  readonly me: Person
  /** Aborted when the work is no longer wanted: the stage's deadline passed, the bot stops, or something newer was said. */
  readonly signal: AbortSignal
}

export interface Score {
  /** Any finite number; the sum of a turn is clamped to 0…100. */
  readonly points: number
  /** A short reason, for people: "asks a question". */
  readonly why: string
}

/** What the scorers say together. */
export interface TotalScore {
  /** 0…100. */
  readonly points: number
  readonly parts: readonly (Score & { readonly plugin: string })[]
}

/** Silence is a value, so that no text can turn into it by accident, nor it into text. */
export type Decision =
  | { readonly kind: 'silent'; readonly why: string; readonly confidence?: number }
  | {
      readonly kind: 'react' | 'ack' | 'full'
      readonly why: string
      /** How long to wait before answering. A newer message here cancels the answer and judging starts over. */
      readonly delayMs?: number
      /** 0…1. */
      readonly confidence?: number
    }

export type Silence = Extract<Decision, { kind: 'silent' }>

export type DecisionToSpeak = Exclude<Decision, Silence> & {
  /** Who decided. Absent when nobody did, and the bot was addressed. */
  readonly plugin?: string
}

/** Where a section stands in the prompt, from wide to narrow. */
export const PLACES = ['workspace', 'whereabouts', 'channel', 'thread', 'situation', 'person', 'facts', 'other'] as const

/** A titled piece of prompt. */
export interface Section {
  /** Its heading. One in brackets, `【…】`, stands as it is, with the text right below. */
  readonly title: string
  readonly text: string
  readonly place: (typeof PLACES)[number]
  /** When the sections do not fit the token budget, the lightest is dropped first. Default 1. */
  readonly weight?: number
}

/** The context that the responders get: sections in order, already fitted to the budget. */
export interface Context {
  readonly sections: readonly Section[]
}

export type Reply =
  | { readonly kind: 'text'; readonly text: string /** Quote or thread under this message. */; readonly replyTo?: string }
  | { readonly kind: 'reaction'; readonly emoji: string /** Default: `turn.message`. */; readonly to?: string }
