/** Models for speech: what is said in a recording, and a text that is read out. */
import type { Conversation, Recording, Speaker, Transcriber } from '../api/index.ts'
import { KikimimiError } from '../base/errors.ts'
import { estimateTokens } from '../base/text/tokens.ts'
import type { Endpoint } from './endpoint.ts'
import type { createMeter } from './meter.ts'

/** The output tokens that are booked for a transcript. */
const TRANSCRIPT = 1_000

interface SpeechCall<M> {
  readonly meter: ReturnType<typeof createMeter>
  /** Absent: bot.config.ts has no model for it. */
  readonly given: { readonly model: M; readonly endpoint: Endpoint } | undefined
  readonly plugin: string | undefined
  readonly conversation: Conversation | undefined
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

export async function transcribe(recording: Recording, { meter, given, ...call }: SpeechCall<Transcriber>): Promise<string> {
  if (!given)
    throw new KikimimiError('MODEL_MISSING', 'There is no model for recordings. Add models.transcribe in bot.config.ts.')
  const { model, endpoint } = given
  return meter.call({
    ...call,
    role: 'transcribe',
    endpoint,
    estimate: { inputTokens: 0, outputTokens: TRANSCRIPT },
    run: ended => model.transcribe(recording, ended),
    // Providers bill recordings by their length, which is not known here.
    tokens: text => ({ inputTokens: 0, outputTokens: estimateTokens(text) }),
    read: text => {
      if (text.trim() !== '') return text.trim()
      throw new KikimimiError('MODEL_EMPTY', `[models] ${model.name} heard nothing.`)
    },
  })
}

export async function speak(text: string, { meter, given, ...call }: SpeechCall<Speaker>): Promise<Recording> {
  if (!given) throw new KikimimiError('MODEL_MISSING', 'There is no model for speech. Add models.speak in bot.config.ts.')
  const { model, endpoint } = given
  const tokens = { inputTokens: estimateTokens(text), outputTokens: 0 }
  return meter.call({
    ...call,
    role: 'speak',
    endpoint,
    estimate: tokens,
    run: ended => model.speak(text, ended),
    tokens: () => tokens,
    read: spoken => {
      if (spoken.data.length > 0) return spoken
      throw new KikimimiError('MODEL_EMPTY', `[models] ${model.name} spoke nothing.`)
    },
  })
}
