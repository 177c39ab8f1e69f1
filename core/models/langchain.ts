/**
 * Adapts LangChain's models to ours, by duck typing. It loads nothing of LangChain, so the kernel starts fast and any
 * version with these methods works. `test/langchain.test.ts` proves that the classes of its packages fit these types.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Invokable, LangChainModel } from '../api/chat-model.ts'
import type { ChatModel, ChatTurn, Generated, GenerateRequest, ToolCall } from '../api/index.ts'
import { isUnreadable, statusOf } from './model-errors.ts'
import { jsonSchemaOf } from './structured.ts'

/** A model of bot.config.ts as a chat model. */
export function chatModelOf(given: ChatModel | LangChainModel): ChatModel {
  return 'invoke' in given ? fromLangChain(given) : given
}

export function fromLangChain(model: LangChainModel): ChatModel {
  /**
   * Models that ignore a small output limit. A thinking model spends the limit on its thoughts and is cut off early. After
   * this has happened once, the model is called without a limit.
   */
  let thinks = false

  return {
    name: modelName(model),
    takesAudio: hears(model),
    async generate(request) {
      const limit = thinks ? undefined : request.maxTokens
      try {
        const answer = await ask(forOneCall(model, request.signal, limit, request.onText !== undefined), request)
        if (limit === undefined || !starved(answer)) return answer
      } catch (error) {
        if (limit === undefined || field(error, 'finishReason') !== 'MAX_TOKENS') throw error
      }
      const answer = await ask(forOneCall(model, request.signal, undefined, request.onText !== undefined), request)
      thinks = !isEmpty(answer)
      return answer
    },
  }
}

/** The name of a LangChain model, for people. */
export function modelName(model: object): string {
  const name = field(model, 'model') ?? field(model, 'modelName')
  return typeof name === 'string' ? name : model.constructor.name
}

/** Whether a model takes recordings: its profile says so. For a model without one, the names of Gemini and of OpenAI's audio models do. */
function hears(model: object): boolean {
  const known = field(field(model, 'profile'), 'audioInputs')
  return typeof known === 'boolean' ? known : /\b(?:gemini|audio)\b/i.test(modelName(model))
}

/** Fields that limit the output of a call, by their names in the various classes. */
const LIMITS = ['maxOutputTokens', 'maxTokens', 'numPredict']

/**
 * The same model, changed for one call. Its limit of output tokens is a field of the object, not of the call. Its own
 * retries are off: they ignore our signal and would continue after our deadline. Streaming is off unless the call asks for it,
 * even when a listener of the model wants it.
 */
export function forOneCall<M extends object>(model: M, signal?: AbortSignal, maxTokens?: number, streams = false): M {
  const changes: PropertyDescriptorMap = {}
  if ('streaming' in model) changes.streaming = { value: false }
  // LangChain has a list of model names, and "gemini-flash-latest" is not in it. Gemini itself knows best what it accepts.
  if ('_isMultimodalModel' in model) changes._isMultimodalModel = { value: true }
  if ('disableStreaming' in model && !streams) changes.disableStreaming = { value: true }
  if ('caller' in model && typeof model.caller === 'object' && model.caller !== null) {
    changes.caller = { value: Object.create(model.caller, { maxRetries: { value: 0 } }) }
  }
  for (const limit of LIMITS) {
    if (maxTokens === undefined || !(limit in model)) continue
    const own = field(model, limit)
    changes[limit] = { value: typeof own === 'number' ? Math.min(own, maxTokens) : maxTokens }
  }
  const complete = field(model, 'completionWithRetry')
  if (typeof complete === 'function') {
    changes.completionWithRetry = {
      // The class for Gemini does not pass on its signal, so a cancelled call would not be aborted.
      value(this: M, request: unknown, options: object = {}) {
        return complete.call(this, withResultsTogether(request), { ...options, ...(signal && { signal }) })
      },
    }
  }
  const client = field(model, 'client')
  if (typeof field(client, 'generateContentStream') === 'function')
    changes.client = { value: withSafeStream(client as Streaming) }
  return Object.keys(changes).length > 0 ? Object.create(model, changes) : model
}

interface Streaming {
  generateContentStream(request: unknown, options?: unknown): Promise<{ readonly response?: Promise<unknown> }>
}

/**
 * Google's client rejects a second promise when a stream breaks. Nobody reads it, and an unhandled rejection ends the process.
 */
function withSafeStream(client: Streaming): Streaming {
  return Object.create(client, {
    generateContentStream: {
      async value(request: unknown, options?: unknown) {
        const result = await client.generateContentStream(withResultsTogether(request), options)
        result.response?.catch(() => {})
        return result
      },
    },
  })
}

/**
 * Puts the results of all tools that Gemini called at once into one turn. LangChain's client makes a turn of each, which
 * Gemini refuses. https://github.com/langchain-ai/langchainjs/issues/10342
 */
function withResultsTogether(request: unknown): unknown {
  const contents: unknown[] = []
  for (const content of list(field(request, 'contents'))) {
    const [last] = contents.slice(-1)
    if (!holdsResults(last) || !holdsResults(content)) contents.push(content)
    else contents.splice(-1, 1, { ...last, parts: [...last.parts, ...content.parts] })
  }
  return typeof request === 'object' && contents.length > 0 ? { ...request, contents } : request
}

function holdsResults(content: unknown): content is { readonly parts: readonly unknown[] } {
  const parts = list(field(content, 'parts'))
  return parts.length > 0 && parts.every(part => field(part, 'functionResponse') !== undefined)
}

async function ask(model: LangChainModel, request: GenerateRequest): Promise<Generated> {
  try {
    return await askOnce(model, request)
  } catch (error) {
    const plain = withoutMedia(request)
    // Some providers refuse a picture or a recording with a 400; some classes of LangChain throw before the request.
    if (!plain || (statusOf(error) !== 400 && !/\b(?:images?|audio)\b/i.test(String(field(error, 'message'))))) throw error
    return askOnce(model, plain)
  }
}

/** The request without its pictures and recordings, if it has any. */
function withoutMedia(request: GenerateRequest): GenerateRequest | undefined {
  const has = (turn: ChatTurn) => turn.role === 'user' && (turn.images?.length || turn.audio?.length)
  if (!request.messages.some(has)) return undefined
  const plain = (turn: ChatTurn): ChatTurn =>
    turn.role === 'user'
      ? { role: 'user', text: [turn.text, ...(turn.withoutMedia ? [turn.withoutMedia] : [])].join('\n\n') }
      : turn
  return { ...request, messages: request.messages.map(plain) }
}

async function askOnce(model: LangChainModel, request: GenerateRequest): Promise<Generated> {
  const { system, messages, tools = [], schema, signal } = request
  if (schema) return askForObject(model, request, schema)
  const invokable = tools.length > 0 && model.bindTools ? model.bindTools(tools) : model
  const turns = input(system, messages)
  const whole = request.onText && (await streamed(invokable, turns, { signal, onText: request.onText }))
  return asGenerated(whole ?? (await invokable.invoke(turns, { signal })))
}

/** The whole answer of a stream. Nothing when the model cannot stream, or when the stream is empty, which does not say why. */
async function streamed(
  model: Invokable,
  turns: unknown,
  { signal, onText }: { readonly signal: AbortSignal; readonly onText: (text: string) => void },
): Promise<Chunk | undefined> {
  let whole: Chunk | undefined
  for await (const chunk of (await model.stream?.(turns, { signal })) ?? []) {
    whole = whole ? whole.concat(chunk) : (chunk as Chunk)
    onText(textOf(field(whole, 'content')))
  }
  // Some classes end a stream that was aborted as if it were whole.
  signal.throwIfAborted()
  return whole
}

interface Chunk {
  concat(next: unknown): Chunk
}

async function askForObject(model: LangChainModel, request: GenerateRequest, schema: StandardSchemaV1): Promise<Generated> {
  const { system, messages, signal } = request
  const shape = jsonSchemaOf(schema)
  const structured = shape && structuring(model, shape)
  if (structured) {
    try {
      const answer = await structured.invoke(input(system, messages), { signal })
      const raw = field(answer, 'raw')
      if (raw === undefined) return { text: '', value: answer, toolCalls: [] }
      const generated = asGenerated(raw)
      const [call] = generated.toolCalls
      return call ? { ...generated, value: call.args } : generated
    } catch (error) {
      // Some models (Gemma among them) answer any schema with 400, but write JSON when the prompt asks for it.
      if (!isUnreadable(error) && statusOf(error) !== 400) throw error
    }
  }
  const asked = `${system}\n\nAnswer with JSON only, no other text${shape ? `, fitting this JSON Schema:\n${JSON.stringify(shape)}` : ''}`
  return asGenerated(await model.invoke(input(asked, messages), { signal }))
}

function structuring(model: LangChainModel, shape: Record<string, unknown>): Invokable | undefined {
  try {
    return model.withStructuredOutput?.(shape, { includeRaw: true })
  } catch {
    // The base class has the method, and throws when the model does not support it.
    return undefined
  }
}

function input(system: string, turns: readonly ChatTurn[]): unknown[] {
  // Providers require at least one message.
  if (turns.length === 0) return [['user', system]]
  return [...(system === '' ? [] : [['system', system]]), ...turns.map(message)]
}

function message(turn: ChatTurn): unknown {
  switch (turn.role) {
    case 'user': {
      const images = (turn.images ?? []).map(url => ({ type: 'image_url', image_url: { url } }))
      // The classes for Gemini and for OpenAI both read this form.
      const audio = (turn.audio ?? []).map(url => {
        const [head = '', data = ''] = url.split(',', 2)
        return { type: 'audio', source_type: 'base64', mime_type: head.replace(/^data:|;base64$/g, ''), data }
      })
      if (images.length + audio.length === 0) return ['user', turn.text]
      return { role: 'user', content: [{ type: 'text', text: turn.text }, ...images, ...audio] }
    }
    case 'assistant': {
      if (turn.native !== undefined) return turn.native
      return {
        role: 'assistant',
        content: turn.text,
        tool_calls: turn.toolCalls?.map(call => ({ ...call, type: 'tool_call' })) ?? [],
      }
    }
    case 'tool':
      return {
        role: 'tool',
        content: turn.text,
        tool_call_id: turn.id,
        name: turn.name,
        status: turn.failed ? 'error' : 'success',
      }
  }
}

function asGenerated(answer: unknown): Generated {
  const { input, output, total } = usageOf(answer)
  return {
    text: textOf(field(answer, 'content') ?? answer),
    toolCalls: [...list(field(answer, 'tool_calls')), ...list(field(answer, 'invalid_tool_calls'))].map(toolCall),
    native: answer,
    ...(isCut(answer) && { finish: 'length' as const }),
    // Gemini counts its thoughts, which are paid as output, only in the total.
    ...(total > 0 && { inputTokens: input, outputTokens: Math.max(output, total - input) }),
  }
}

function usageOf(answer: unknown): { input: number; output: number; total: number } {
  const count = (name: string) => Number(field(field(answer, 'usage_metadata'), name) ?? 0)
  return { input: count('input_tokens'), output: count('output_tokens'), total: count('total_tokens') }
}

/** The text of content, which is a string or parts. Other parts, such as thoughts, are not for the channel. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(part => (typeof part === 'string' ? part : field(part, 'type') === 'text' ? String(field(part, 'text') ?? '') : ''))
    .join('')
}

function toolCall(call: unknown, at: number): ToolCall {
  return { id: String(field(call, 'id') ?? `call-${at}`), name: String(field(call, 'name')), args: field(call, 'args') }
}

/** Whether the model returned no text, or was cut off in the call of a tool or after thinking. */
function starved(answer: Generated): boolean {
  const { input, output, total } = usageOf(answer.native)
  return isEmpty(answer) || (isCut(answer.native) && (answer.toolCalls.length > 0 || total > input + output))
}

/** The words of Gemini, of OpenAI and Ollama, and of Anthropic for an answer that a limit of tokens ended. */
const CUT: ReadonlySet<unknown> = new Set(['MAX_TOKENS', 'length', 'max_tokens', 'model_context_window_exceeded'])

/** Whether a limit of tokens ended the answer. In a stream, the class for Anthropic has the reason in `additional_kwargs`. */
function isCut(answer: unknown): boolean {
  const data = [field(answer, 'response_metadata'), field(answer, 'additional_kwargs')]
  const names = ['finishReason', 'finish_reason', 'done_reason', 'stop_reason']
  return data.some(one => names.some(name => CUT.has(field(one, name))))
}

function isEmpty({ text, value, toolCalls }: Generated): boolean {
  return text.trim() === '' && value === undefined && toolCalls.length === 0
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
