/** A chat model as the kernel calls it, and what the kernel uses of the models of LangChain. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Recording, Role, Tool } from './models.ts'

/** What the kernel needs from a model. The kernel wraps a LangChain model into one. */
export interface ChatModel {
  /** The name of the model, for traces, prices and metrics. */
  readonly name: string
  /** Whether it takes recordings. Default: no. */
  readonly takesAudio?: boolean
  /** Answers one request. May throw any error: a KikimimiError is passed on, others are classified by their status. */
  generate(request: GenerateRequest): Promise<Generated>
}

/** One request to a chat model. */
export interface GenerateRequest {
  /** What the model is used for: `chat`, `judge`, `summary` or `reflection`. */
  readonly role: Role
  /** The system prompt. Absent: none. */
  readonly system: string
  /** The conversation with the model, oldest first. */
  readonly messages: readonly ChatTurn[]
  /** The most output tokens. Absent: the limit of the model. */
  readonly maxTokens?: number
  /** The tools that the model can call. Absent: none. */
  readonly tools?: readonly Tool[]
  /** A schema for the answer. The model returns the answer as `value`, or as JSON in `text`. */
  readonly schema?: StandardSchemaV1
  /** Receives the text so far, each time whole. A model that writes its answer at once need not call it. */
  readonly onText?: (text: string) => void
  /** Aborts at the deadline and when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** One message of the conversation with a model. */
export type ChatTurn =
  | {
      readonly role: 'user'
      readonly text: string
      /** Pictures, as data URLs. */
      readonly images?: readonly string[]
      /** Recordings, as data URLs. */
      readonly audio?: readonly string[]
      /** What the text ends with when the model gets it without its pictures and recordings. */
      readonly withoutMedia?: string
    }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[]; readonly native?: unknown }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly text: string; readonly failed: boolean }

/** A call of a tool, as the model asks for it. */
export interface ToolCall {
  /** The id that the result of the tool carries. */
  readonly id: string
  /** The name of the tool. */
  readonly name: string
  /** The arguments, as the model wrote them. */
  readonly args: unknown
}

/** The answer of a chat model. */
export interface Generated {
  /** The text of the answer; empty when the model only calls tools. */
  readonly text: string
  /** The answer to validate against the schema. Absent: the model gave only text. */
  readonly value?: unknown
  /** The tool calls of the model; empty when there are none. */
  readonly toolCalls: readonly ToolCall[]
  /** `length`: the limit of output tokens cut the answer off. Absent: it is complete. */
  readonly finish?: 'length'
  /** Input tokens, as the provider counts them. Absent: estimated. */
  readonly inputTokens?: number
  /** Output tokens, as the provider counts them. Absent: estimated. */
  readonly outputTokens?: number
  /**
   * The answer in the model's own form. The kernel sends it back in the conversation, with data that only the model can
   * read (thought signatures).
   */
  readonly native?: unknown
}

/** A model that writes down what is said in a recording. */
export interface Transcriber {
  /** The name of the model, for traces, prices and metrics. */
  readonly name: string
  /** Returns what is said. May throw any error. */
  transcribe(audio: Recording, signal: AbortSignal): Promise<string>
}

/** A model that reads a text out. */
export interface Speaker {
  /** The name of the model, for traces, prices and metrics. */
  readonly name: string
  /** Returns the speech. May throw any error. */
  speak(text: string, signal: AbortSignal): Promise<Recording>
}

/** A model that judges how well texts answer a question. */
export interface Reranker {
  /** The name of the model, for traces, prices and metrics. */
  readonly name: string
  /** Returns one score for each text, in order: a higher one answers better. Any scale. May throw any error. */
  rerank(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
}

export interface Invokable {
  invoke(input: unknown, options?: unknown): Promise<unknown>
  stream?(input: unknown, options?: unknown): Promise<AsyncIterable<unknown>>
}

/**
 * What we use of LangChain's BaseChatModel. It is a type of our own because BaseChatModel has protected members: the class of
 * one version does not fit that of another. A bot without LangChain needs no package for it.
 */
export interface LangChainModel extends Invokable {
  bindTools?(tools: readonly unknown[]): Invokable
  withStructuredOutput?(schema: Record<string, unknown>, config?: { includeRaw: true }): Invokable
}

/** What we use of LangChain's Embeddings, with which its classes fit. An object with the first method is enough; `model` is its name. */
export interface LangChainEmbeddings {
  embedDocuments(texts: string[]): Promise<number[][]>
  /** Default: a question is embedded like a document. */
  embedQuery?(text: string): Promise<number[]>
}
