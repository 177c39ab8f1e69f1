/** A turn and the results of its stages: points, a decision, the context, a reply. */
import { type Address, type Conversation, channelOf, type Message, type Person, type Persona } from './message.ts'

/** One pass of the pipeline over a conversation, for the batch of messages since the previous turn. */
export interface Turn {
  /** Unique in a bot; the trace has the same. */
  readonly id: string
  /** Where the turn happens. */
  readonly conversation: Conversation
  /**
   * The batch: the messages since the previous turn, oldest first, without the bot's own, up to the first that addresses the bot.
   * Never empty. Further calls have turns of their own.
   */
  readonly messages: readonly Message[]
  /**
   * The trigger, which a reply answers. A message that addresses the bot is the last of `messages`. In another batch the scores or the
   * decision name it, see {@link Decision}; without a name, and until then, it is the last too.
   */
  readonly message: Message
  /**
   * Working memory, oldest first, the batch and the bot's own messages included, without calls of other people that still wait for
   * their turn.
   */
  readonly history: readonly Message[]
  /** What people see around the conversation and `history` does not hold. */
  readonly surroundings?: Surroundings
  /** What the author of `message` has added since, as far as {@link takeAdditions} returned it, oldest first. */
  readonly added: readonly Message[]
  /**
   * What the author of `message` has added since the last call, oldest first; empty for a turn that does not address the bot. The
   * reply then has to answer it too: it gets no turn of its own. The models ask between their steps, for a request with `turn`.
   */
  takeAdditions(): Promise<readonly Message[]>
  /** A person wants another answer to the call: a different one, or a shorter one. It replaces `text`. Absent: it has no answer yet. */
  readonly revises?: { readonly how: 'again' | 'shorter'; readonly text: string }
  /** How the batch addresses the bot. Absent: not at all. */
  readonly addressed?: Address
  /** When the bot last said something in this conversation; a reaction counts. Absent: never. */
  readonly lastReplyAt?: Date
  /** The bot's own account on this platform. */
  readonly me: Person
  /** The name and the character that the bot has in this conversation. */
  readonly persona: Persona
  /**
   * Shows the text so far while the answer is being written, each time whole; the result of `respond` replaces it. Once people have
   * seen some of it, {@link takeAdditions} returns nothing: what the author adds gets a turn of its own. Absent: people see this answer
   * when it is whole.
   */
  readonly show?: (reply: TextReply) => void
  /**
   * The messages that the answer is made from, besides `history`. The kernel adds the {@link Section.sources} of the prompt; a tool
   * or a responder adds those of what else it shows to a model.
   */
  readonly sources: MessageSource[]
  /** Aborts when the deadline of the stage passes, when the bot stops, and when a newer message cancels the turn. */
  readonly signal: AbortSignal
}

/**
 * What people see around a conversation and working memory does not hold. Messages of people who are left out of the bot's
 * memory are not among them. It is used in this turn and not recorded.
 */
export interface Surroundings {
  /** The message that the thread hangs on. `deleted`: it is gone. `unreadable`: the platform did not give it. Absent: no thread. */
  readonly root?: Message | 'deleted' | 'unreadable'
  /** The messages that those of the turn answer, as far as `history` does not hold them; chains are followed up to three links. */
  readonly quoted: readonly Message[]
  /** Messages from before `history`, oldest first, read from the platform for this turn. Empty: none were needed, or none are there. */
  readonly earlier: readonly Message[]
  /** Why messages from before could not be read, in one line. Absent: they could, or they were not needed. */
  readonly problem?: string
}

/** Points for or against speaking, from one scorer. */
export interface Score {
  /** Any finite number; the sum of a turn is clamped to 0…100. */
  readonly points: number
  /** A short reason, for people: "asks a question". */
  readonly why: string
  /** The id of the message of the batch that the points are for. Default: the whole batch. */
  readonly message?: string
}

/** The points of all scorers. */
export interface TotalScore {
  /** 0…100. */
  readonly points: number
  /** What each scorer gave, with the name of its plugin. */
  readonly parts: readonly (Score & { readonly plugin: string })[]
  /** The id of the message with the most points, the later of two. Absent: no scorer named one. */
  readonly message?: string
}

/** Whether and how to speak. Silence is a separate value, so that a text never means silence. */
export type Decision = (
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'react' | 'ack' | 'full'
      /** Milliseconds to wait before the answer, 30 days at most. A newer message cancels the answer. Default: none. */
      readonly delayMs?: number
      /** The emoji of a decision to react. Default: a responder chooses it, such as `reply()`. */
      readonly emoji?: string
    }
) & {
  readonly why: string
  /** 0…1. */
  readonly confidence?: number
  /**
   * The id of the message of the batch that decides, and that an answer is for. Default: the one of {@link TotalScore}. A batch that
   * addresses the bot has its own.
   */
  readonly message?: string
}

/** A decision to say nothing. */
export type Silence = Extract<Decision, { kind: 'silent' }>

/** A decision to say something. */
export type DecisionToSpeak = Exclude<Decision, Silence> & {
  /** The plugin that decided. Absent when no plugin decided and the bot was addressed. */
  readonly plugin?: string
}

/** The places of sections in the prompt, from wide to narrow. */
export const PLACES = ['workspace', 'whereabouts', 'channel', 'thread', 'situation', 'person', 'facts', 'other'] as const

/** A titled piece of prompt. */
export interface Section {
  /** The heading. A heading in brackets, `【…】`, is printed as it is, with the text directly below. */
  readonly title: string
  /** The content, as Markdown or plain text. */
  readonly text: string
  /** Where it stands in the prompt: see {@link PLACES}. */
  readonly place: (typeof PLACES)[number]
  /** When the sections do not fit the token budget, the lightest is dropped first. Default 1. */
  readonly weight?: number
  /**
   * The messages of the log that the text was made from. When one of them is erased, the answers of the bot that had the
   * section in their prompt are erased from the log. Default: none.
   */
  readonly sources?: readonly MessageSource[]
  /**
   * Rewrites an answer that had the section in its prompt, before it is sent: for example, a number that the section gave becomes a
   * link. When it throws, the answer stays as it is. Default: nothing is changed.
   */
  readonly finish?: (answer: string) => string
}

/**
 * Messages of the log: some by their ids, or all of a conversation between two numbers `seq`, both included. A thing of a plugin has the
 * schema of the plugin as `conversation`, and its number as `first` and `last`.
 */
export type MessageSource =
  | { readonly channel: string; readonly messages: readonly string[] }
  | { readonly conversation: string; readonly first: number; readonly last: number }

/** What a turn was made from: its `history` and its `sources`. For what a plugin posts or keeps because of the turn. */
export function turnSources({
  conversation,
  history,
  sources,
}: Pick<Turn, 'conversation' | 'history' | 'sources'>): MessageSource[] {
  return [{ channel: channelOf(conversation), messages: history.map(({ id }) => id) }, ...sources]
}

/** The context for responders: the sections in order, fitted to the token budget. */
export interface Context {
  /** The sections that fit the token budget, in the order of the prompt. */
  readonly sections: readonly Section[]
}

/** A reply in words. */
export interface TextReply {
  /** Distinguishes it from a reaction. */
  readonly kind: 'text'
  /** The words. A text that is too long for one message is split. */
  readonly text: string
  /** Quote or thread under this message. */
  readonly replyTo?: string
}

/** The reply of a responder: a text or a reaction. */
export type Reply =
  | TextReply
  | { readonly kind: 'reaction'; readonly emoji: string /** Default: `turn.message`. */; readonly to?: string }
