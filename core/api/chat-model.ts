/** A chat model as the kernel calls it. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Role, Tool } from './models.ts'

/** The whole of what the kernel wants from a model. A LangChain model is made into one. */
export interface ChatModel {
  readonly name: string
  /** May throw anything; a KikimimiError is passed on, anything else is told apart by its status. */
  generate(request: GenerateRequest): Promise<Generated>
}

export interface GenerateRequest {
  readonly role: Role
  readonly system: string
  readonly messages: readonly ChatTurn[]
  readonly maxTokens?: number
  readonly tools?: readonly Tool[]
  /** The answer should be a value that this schema takes: as `value`, or as JSON in `text`. */
  readonly schema?: StandardSchemaV1
  readonly signal: AbortSignal
}

export type ChatTurn =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly string[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ToolCall[]; readonly native?: unknown }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly text: string; readonly failed: boolean }

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

export interface Generated {
  readonly text: string
  /** What the schema is to be tried on, where the model gave more than text. */
  readonly value?: unknown
  readonly toolCalls: readonly ToolCall[]
  /** Estimated where the model does not tell. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** The answer in the model's own form. Comes back in the conversation, with what only the model can read (thought signatures). */
  readonly native?: unknown
}
