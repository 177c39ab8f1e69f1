/** The record of a turn: values, reasons and costs. */
import type { Address } from './message.ts'
import type { Decision, MessageSource, Reply, TotalScore } from './turn.ts'

/** How a turn ended. */
export type Outcome =
  /** Decided to say nothing. When a responder chose silence, `why` has its reason. */
  | 'silent'
  /** The answer comes later: as decided, or because the platform takes none now (`why`). */
  | 'delayed'
  /** Sent. */
  | 'replied'
  /** Not sent, because of a newer message, a deleted trigger or STOP. */
  | 'cancelled'
  /** The bot could not answer. */
  | 'failed'

/** Everything that happened in a turn, and why. Holds no message text. */
export interface Trace {
  /** The id of the turn. */
  readonly turn: string
  /** The id of the conversation. */
  readonly conversation: string
  /** When the turn began. */
  readonly at: Date
  /** The ids of the batch, oldest first. */
  readonly messages: readonly string[]
  /** The id of the message that a reply answers. */
  readonly trigger: string
  /** The ids of the messages that the reply answers, the trigger first. Absent: nothing was sent. */
  readonly answers?: readonly string[]
  /** What was read around the conversation for this turn. Absent: nothing was needed. */
  readonly surroundings?: {
    /** How many messages from before working memory were shown. */
    readonly earlier: number
    /** How many messages that others answer were shown. */
    readonly quoted: number
    /** How many requests it took; 0 when all of it was in the database or in the cache. */
    readonly requests: number
    /** Why some of it could not be read. */
    readonly problem?: string
  }
  /** The names of the tools that a model called, in order. Absent: none. */
  readonly tools?: readonly string[]
  /** Tools that were withheld from the models, each with the rule of access that a person of the turn does not meet. */
  readonly withheld?: readonly { readonly tool: string; readonly why: string }[]
  /** What plugins have noted with {@link PluginContext.note}, in order. Absent: nothing. */
  readonly notes?: readonly { readonly plugin: string; readonly text: string }[]
  /** How the batch addresses the bot. Absent: not at all. */
  readonly addressed?: Address
  /** The points of all scorers. Absent when the turn ended before. */
  readonly score?: TotalScore
  /** The decision, with the plugin that made it. Absent when the turn ended before. */
  readonly decision?: Decision & { readonly plugin?: string }
  /** The sections of the prompt, with estimated tokens; `kept` is false for those that did not fit. */
  readonly sections: readonly {
    readonly title: string
    readonly plugin: string
    readonly tokens: number
    readonly kept: boolean
  }[]
  /** The ids of working memory, oldest first. The stored trace does not have them: the database keeps them as sources. */
  readonly screen?: readonly string[]
  /** The sources of the turn. The stored trace does not have them. */
  readonly sources?: readonly MessageSource[]
  /** The model calls of the turn, in order. */
  readonly models: readonly ModelCall[]
  /** What the models were asked, where `capture` in bot.config.ts names the channel. The stored trace does not have them. */
  readonly prompts?: readonly CapturedPrompt[]
  /** The reply, with the plugin that made it and its length in characters. Absent: none. */
  readonly reply?: { readonly kind: Reply['kind']; readonly plugin: string; readonly length: number }
  /**
   * What people saw while the answer was written: milliseconds from the first words of the model until they stood there, and the
   * number of edits. Absent: they saw the whole answer at once.
   */
  readonly shown?: { readonly afterMs: number; readonly edits: number }
  /** The ids of the posted messages; empty when nothing was sent. */
  readonly sent: readonly string[]
  /** How the turn ended. */
  readonly outcome: Outcome
  /** Why a turn that should have spoken did not. */
  readonly why?: string
  /** The plugin that cancelled the reply or chose silence. Absent: the kernel. */
  readonly by?: string
  /** Errors and timeouts of plugins, models and the platform in this turn. */
  readonly problems: readonly { readonly plugin: string; readonly stage: string; readonly message: string }[]
  /** Milliseconds spent in each stage, by the bot's clock. */
  readonly ms: Readonly<Record<string, number>>
  /** When the stages, model calls and tools of the turn ran, in the order in which they ended. Absent: none has run. */
  readonly timeline?: readonly Timed[]
}

/** When a part of a turn ran. */
export interface Timed {
  /** What ran. */
  readonly what: 'stage' | 'model' | 'tool'
  /** The name of the stage, the role of the model, or the name of the tool. */
  readonly name: string
  /** Milliseconds from the beginning of the turn to the beginning of the part, by the bot's clock. */
  readonly afterMs: number
  /** Milliseconds that the part took, by the bot's clock. */
  readonly ms: number
}

/** One call of a model, with all its attempts. */
export interface ModelCall {
  /** What the model was used for: `chat`, `judge`, `summary`, `reflection`, `embeddings`, `rerank`, `transcribe` or `speak`. */
  readonly role: string
  /** The name of the model. */
  readonly model: string
  /** The name of the plugin that made the call. Absent: the bot itself. */
  readonly plugin?: string
  /** Tokens of the request: as the provider counts them, or estimated. */
  readonly inputTokens: number
  /** Tokens of the answer: as the provider counts them, or estimated. */
  readonly outputTokens: number
  /** Milliseconds of all attempts, by the bot's clock. */
  readonly ms: number
  /** The number of attempts, 1 or more. */
  readonly attempts: number
  /** The cost, in the currency of the prices in bot.config.ts. Absent: the model has no price. */
  readonly cost?: number
  /** The code of the error. Absent when the call succeeded. */
  readonly error?: string
}

/** What a model was asked in a call, and what it wrote. Without secrets, pictures and recordings; long texts are cut. */
export interface CapturedPrompt {
  /** The index of the call in `models`. */
  readonly call: number
  /** The system prompt. Empty: none. */
  readonly system: string
  /** The conversation with the model, oldest first. The calls of tools are JSON. */
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[]
  /** The raw output; a value and calls of tools are JSON. Absent: the call failed before the model answered. */
  readonly output?: string
}
