/** The wire format of Gemini, as far as a bot uses it. https://ai.google.dev/api/generate-content */

export interface GeminiPart {
  readonly text?: string
  /** A thought of the model: no part of the text. */
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly name: string; readonly args: unknown; readonly id?: string }
  readonly functionResponse?: { readonly name: string; readonly response: unknown; readonly id?: string }
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly fileData?: { readonly mimeType: string; readonly fileUri: string }
}

export interface GeminiContent {
  readonly role?: string
  readonly parts: readonly GeminiPart[]
}

export interface GeminiBody {
  readonly contents?: readonly GeminiContent[]
  readonly systemInstruction?: GeminiContent
  readonly tools?: readonly unknown[]
  readonly generationConfig?: {
    readonly maxOutputTokens?: number
    readonly responseMimeType?: string
    readonly responseSchema?: unknown
  }
  /** The request of embedContent. */
  readonly content?: GeminiContent
  readonly outputDimensionality?: number
  /** The request of batchEmbedContents. */
  readonly requests?: readonly GeminiBody[]
}

/** The answer of a chat model: a text, or more. */
export type GeminiAnswer =
  | string
  | {
      /** Absent: a candidate without content. */
      readonly parts?: readonly GeminiPart[]
      /** Default STOP, for function calls too. */
      readonly finishReason?: string
      /** Tokens. Default: a quarter of the characters; thoughts are counted apart. */
      readonly usage?: { readonly prompt?: number; readonly output?: number; readonly thoughts?: number }
    }
  /** Refuses the prompt with this reason. */
  | { readonly blocked: string }
  /** The body of a response, sent unchanged. */
  | { readonly body: unknown }

/** Bodies of a response: one, or several for a stream. */
export function bodiesOf(answer: GeminiAnswer, asked: GeminiBody, model: string, stream: boolean): unknown[] {
  if (typeof answer === 'object' && 'body' in answer) return [answer.body]
  const prompt = tokens(textOf([...(asked.contents ?? []), ...(asked.systemInstruction ? [asked.systemInstruction] : [])]))
  if (typeof answer === 'object' && 'blocked' in answer) {
    const promptFeedback = { blockReason: answer.blocked }
    return [{ promptFeedback, usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt }, modelVersion: model }]
  }
  const { parts, finishReason = 'STOP', usage = {} } = typeof answer === 'string' ? { parts: [{ text: answer }] } : answer
  const said = (thought: boolean) => (parts ?? []).filter(part => (part.thought ?? false) === thought)
  const counted = {
    prompt: usage.prompt ?? prompt,
    output: usage.output ?? tokens(JSON.stringify(said(false))),
    thoughts: usage.thoughts ?? tokens(textOf([{ parts: said(true) }])),
  }
  const usageMetadata = {
    promptTokenCount: counted.prompt,
    candidatesTokenCount: counted.output,
    ...(counted.thoughts > 0 && { thoughtsTokenCount: counted.thoughts }),
    totalTokenCount: counted.prompt + counted.output + counted.thoughts,
  }
  const groups = stream && parts ? parts.flatMap(pieces).map(part => [part]) : [parts]
  return groups.map((group, at) => ({
    candidates: [
      {
        ...(group && { content: { role: 'model', parts: group } }),
        ...(at === groups.length - 1 && { finishReason }),
        index: 0,
      },
    ],
    usageMetadata,
    modelVersion: model,
  }))
}

export interface GeminiError {
  readonly status: number
  /** In `google.rpc.ErrorInfo`: `API_KEY_INVALID`. */
  readonly reason?: string
  /** In `google.rpc.RetryInfo`: `7s`. */
  readonly retryDelay?: string
  readonly message?: string
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export function errorBody({ status, reason, retryDelay, message = 'Emulated.' }: GeminiError): unknown {
  const details = [
    ...(reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }]),
    ...(retryDelay === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]),
  ]
  return { error: { code: status, message, status: STATUSES[status] ?? 'UNKNOWN', ...(details.length > 0 && { details }) } }
}

/** Why Gemini refuses this request. */
export function refusalOf({ contents = [] }: GeminiBody): string | undefined {
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified'
  for (const [at, { parts }] of contents.entries()) {
    if (parts.length === 0) return `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`
    const calls = parts.filter(part => part.functionCall).length
    const responses = (contents[at + 1]?.parts ?? []).filter(part => part.functionResponse).length
    if (calls > 0 && calls !== responses) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    }
  }
  return undefined
}

export function textOf(contents: readonly GeminiContent[]): string {
  return contents.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? [])).join('\n')
}

/** The same text always has the same vector, of length 1. Texts that share characters have similar vectors. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const character of text) {
    const at = Math.imul(character.codePointAt(0) ?? 0, 0x9e3779b1) >>> 0
    vector[at % dimensions] = (vector[at % dimensions] ?? 0) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map(value => value / length)
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}

function pieces(part: GeminiPart): GeminiPart[] {
  if (part.text === undefined) return [part]
  return (part.text.match(/[\s\S]{1,16}/g) ?? ['']).map(text => ({ ...part, text }))
}
