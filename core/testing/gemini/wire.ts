/** The wire format of Gemini, as far as a bot uses it. https://ai.google.dev/api/generate-content */

export interface GeminiPart {
  readonly text?: string
  /** A thought of the model: no part of the text. */
  readonly thought?: boolean
  /** Default: one on the first function call of an answer. */
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
      /** Default STOP, for function calls too. `MAX_TOKENS`: the limit of output tokens cut the answer off. */
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
  const { parts: made, finishReason = 'STOP', usage = {} } = typeof answer === 'string' ? { parts: [{ text: answer }] } : answer
  const parts = made && signed(made)
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
  return unsigned(contents) ?? contents.flatMap(({ parts }) => parts.flatMap(part => mediaRefusal(part) ?? []))[0]
}

/** The signature that Gemini adds to a function call: its next request has to carry it. https://ai.google.dev/gemini-api/docs/thought-signatures */
const SIGNATURE = 'ZW11bGF0ZWQgdGhvdWdodA=='

/** Parallel calls share one signature, on the first of them. */
function signed(parts: readonly GeminiPart[]): readonly GeminiPart[] {
  const first = parts.findIndex(part => part.functionCall)
  return parts.map((part, at) => (at === first ? { thoughtSignature: SIGNATURE, ...part } : part))
}

/** Gemini checks the function calls since the last text of a person. */
function unsigned(contents: readonly GeminiContent[]): string | undefined {
  const begin = contents.findLastIndex(({ role, parts }) => role === 'user' && parts.some(part => part.text !== undefined))
  for (const [at, { parts }] of contents.entries()) {
    const call = parts.find(part => part.functionCall)
    if (at < begin || !call || call.thoughtSignature) continue
    return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${call.functionCall?.name}\` , position ${at + 1}.`
  }
  return undefined
}

/** The first bytes of the media types that Gemini takes; a dot is any byte. */
const MEDIA: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/webp': ['RIFF....WEBP'],
  'image/heic': ['....ftyp'],
  'image/heif': ['....ftyp'],
  'audio/wav': ['RIFF....WAVE'],
  'audio/mp3': ['ID3', '\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2'],
  'audio/mpeg': ['ID3', '\xff\xfb', '\xff\xfa', '\xff\xf3', '\xff\xf2'],
  'audio/aac': ['\xff\xf1', '\xff\xf9'],
  'audio/aiff': ['FORM....AIFF'],
  'audio/ogg': ['OggS'],
  'audio/flac': ['fLaC'],
  'audio/mp4': ['....ftyp'],
  'audio/m4a': ['....ftyp'],
  'audio/webm': ['\x1a\x45\xdf\xa3'],
}

function mediaRefusal({ inlineData }: GeminiPart): string | undefined {
  if (!inlineData) return undefined
  const { mimeType, data } = inlineData
  const starts = MEDIA[mimeType]
  if (!starts) return `Unsupported MIME type: ${mimeType}`
  const bytes = Buffer.from(data, 'base64').subarray(0, 16).toString('latin1')
  const isValid = starts.some(
    start => bytes.length >= start.length && [...start].every((letter, at) => letter === '.' || letter === bytes[at]),
  )
  return isValid
    ? undefined
    : `Unable to process input ${mimeType.split('/', 1)[0]}. Please retry or report in https://developers.generativeai.google/guide/troubleshooting`
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
