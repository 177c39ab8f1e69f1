/** Models as a plugin uses them: text, objects and vectors by role. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { People } from './checks/access-rules.ts'
import type { Conversation } from './message.ts'
import { service } from './service.ts'
import type { Turn } from './turn.ts'

/** The use of a model. Each role falls back to `chat`. */
export type Role = 'chat' | 'judge' | 'summary' | 'reflection'

/** One request of a plugin to a model. */
export interface ModelRequest {
  /** The system prompt. Absent: none. */
  readonly system: string
  /** The conversation with the model, oldest first. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** Pictures of a user message, as data URLs. A model without vision gets the text alone. */
    readonly images?: readonly string[]
    /** Recordings of a user message, as data URLs. A model that takes no audio gets the text alone. */
    readonly audio?: readonly string[]
    /** What the text ends with when the model gets it without its pictures and recordings. Absent: nothing. */
    readonly withoutMedia?: string
  }[]
  /** Largest number of output tokens. */
  readonly maxTokens?: number
  /** The tools that the model can call. Default: none. */
  readonly tools?: readonly Tool[]
  /**
   * Receives the text so far while the model writes it, each time whole. It can become another or a shorter text: after a tool,
   * after an error, and when the person adds something. The result of the call is the text that counts.
   */
  readonly onText?: (text: string) => void
  /** The turn, for the tools. A tool learns from it where it was called. */
  readonly turn?: Turn
  /** For work of no turn, such as a job: the conversation that the call is for. Its channel chooses the model, and the cost counts there. */
  readonly conversation?: Conversation
  /** Aborts the call. Pass `turn.signal` in a stage. */
  readonly signal?: AbortSignal
}

/** What a tool learns about a call. */
export interface ToolCallContext {
  /** Aborts after 30 seconds, and when the turn ends. Pass it to everything that waits. */
  readonly signal: AbortSignal
  /** The turn of the model request. Absent: the request has none, such as that of a job. */
  readonly turn?: Turn
}

/**
 * A tool a model can call: any LangChain tool has this shape, such as the result of its function `tool`. The model gets the
 * content of a ToolMessage and never its artifact.
 */
export interface Tool {
  /** Letters, digits and underscores, unique in a bot. */
  readonly name: string
  /** For the model: what the tool does and when to call it. */
  readonly description: string
  /** The arguments: a Standard Schema or a JSON schema. */
  readonly schema: unknown
  /** Whether models get the tool in a turn. Default: in every turn. */
  offered?(turn: Turn): boolean
  /** True: it carries out an order, so that only people who may give orders get it: see `access` in bot.config.ts. Default: false. */
  readonly isOrder?: boolean
  /** Who may use the tool in a conversation, besides `access.tools` in bot.config.ts. Default: everyone. */
  allows?(conversation: Conversation): People
  /**
   * Runs the tool. Its result is a text, a value that the model gets as JSON, or a {@link ToolResult}, which adds pictures; the first
   * 16,000 characters count. The model gets the message of an error. `input` fits `schema`.
   */
  invoke(input: unknown, call: ToolCallContext): Promise<unknown>
}

/** The result of a tool that has pictures. */
export interface ToolResult {
  /** The result in words. */
  readonly text: string
  /** Pictures as data URLs. A model without vision gets the text alone. */
  readonly images: readonly string[]
}

/** A recording: one to transcribe, or speech. */
export interface Recording {
  /** The bytes of the file. */
  readonly data: Uint8Array
  /** Its media type: `audio/ogg`, `audio/mp3`, `audio/mp4`, `audio/wav` or `audio/webm`. */
  readonly type: string
}

/** For what a plugin uses a model for speech. */
export interface SpeechRequest {
  /** The conversation that the call is for, outside of a turn. The cost counts there. Default: that of the turn, or none. */
  readonly conversation?: Conversation | undefined
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

/** The models of a bot. Every call has a deadline, retries and a breaker. It counts in the budget and in the trace. */
export interface Models {
  /** Returns a text, never empty. Runs the tools that the model calls. */
  text(role: Role, request: ModelRequest): Promise<string>
  /** Returns a value that fits the schema. Takes no tools. */
  object<S extends StandardSchemaV1>(role: Role, schema: S, request: ModelRequest): Promise<StandardSchemaV1.InferOutput<S>>
  /**
   * Returns one vector for each text that can be found, such as a message. {@link embedQuery} makes the vector to search with.
   * @throws MODEL_MISSING if {@link embeds} is false, MODEL_UNAVAILABLE if the vectors are not usable
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Returns the vector of a question. It can be compared with those of {@link embed}: many models want the two marked differently.
   * @throws MODEL_MISSING if {@link embeds} is false, MODEL_UNAVAILABLE if the vector is not usable
   */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>
  /**
   * Whether the model of a role calls tools. The offline model does not: a plugin that reads orders by rules asks back what it does not read
   * for sure.
   */
  callsTools(role: Role): boolean
  /** Whether a model for vectors is configured. */
  readonly embeds: boolean
  /**
   * Name of the embeddings model, with its mark for documents if it has one. Vectors of different names cannot be compared.
   * `embeddinggemma title: none | text:`
   */
  readonly embeddingModel?: string | undefined
  /**
   * Returns one score for each text, in order: a higher one answers the query better. The scale is that of the model, so scores
   * of different queries cannot be compared. The deadline is 5 seconds.
   * @throws MODEL_MISSING if {@link reranks} is false, MODEL_UNAVAILABLE if the scores are not one finite number for each text
   */
  rerank(query: string, texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>
  /** Whether a model for ordering texts is configured. */
  readonly reranks: boolean
  /**
   * Returns what is said in a recording. The deadline is 20 seconds.
   * @throws MODEL_MISSING if {@link transcribes} is false, MODEL_EMPTY if nothing is said
   */
  transcribe(recording: Recording, request?: SpeechRequest): Promise<string>
  /** Whether a model for recordings is configured. */
  readonly transcribes: boolean
  /**
   * Returns a text as speech, in the format of the model. The deadline is 20 seconds.
   * @throws MODEL_MISSING if {@link speaks} is false, MODEL_EMPTY if the model returns no data
   */
  speak(text: string, request?: SpeechRequest): Promise<Recording>
  /** Whether a model for speech is configured. */
  readonly speaks: boolean
}

/** The tools of every plugin, for a model that can call them. */
export interface Tools {
  /** The tools of every plugin. */
  readonly all: readonly Tool[]
}

export const Tools = service<Tools>('kikimimi.tools')
