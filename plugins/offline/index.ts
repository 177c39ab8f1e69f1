import type { ChatModel, Generated, GenerateRequest } from 'kikimimi'
import { jsonSchemaOf, readTranscript, type TranscriptLine } from 'kikimimi/model'
import { acknowledgement, answer } from './chat.ts'
import { fill } from './fill.ts'
import { hear } from './heard.ts'
import { digest, judge } from './listen.ts'
import { notesIn } from './notes.ts'
import { remark } from './remark.ts'

export { offlineGreeting } from './texts.ts'

/** A request with at most this many output tokens expects a short phrase. */
const ACKNOWLEDGEMENT = 50

/**
 * A model that answers, judges and summarises by rules, in the languages of `language/`, without a key or a network. The
 * same
 * request always gets the same answer, and every answer comes from messages of people.
 */
export function offline(): ChatModel {
  return MODEL
}

const MODEL: ChatModel = { name: 'offline', generate: async request => generate(request) }

function generate(request: GenerateRequest): Generated {
  const { role, schema } = request
  if (role === 'chat' && !schema) return { text: chat(request), toolCalls: [] }
  const lines = linesOf(request)
  const verdict = judge(request.system, lines)
  const notes = digest(request.system, lines, role === 'summary' ? notesIn(request.system) : [])
  if (schema) {
    const shape = jsonSchemaOf(schema)
    const known = { ...notes, ...verdict, remark: remark(request.system) }
    return { text: '', ...(shape && { value: fill(shape, known) }), toolCalls: [] }
  }
  return { text: role === 'judge' ? word(request, verdict) : String(notes.summary) || '…', toolCalls: [] }
}

function chat({ system, messages, maxTokens = Number.POSITIVE_INFINITY }: GenerateRequest): string {
  const heard = hear(
    system,
    messages.flatMap(({ role, text }) => (role === 'user' ? text : [])),
  )
  return maxTokens <= ACKNOWLEDGEMENT ? acknowledgement(heard) : answer(heard)
}

/** A judge that expects a word gets one of the words in its question. */
function word({ system, messages }: GenerateRequest, verdict: ReturnType<typeof judge>): string {
  const prompt = [system, ...messages.map(({ text }) => text)].join('\n')
  return /\bENDING\b/.test(prompt) ? verdict.state : verdict.verdict
}

/** The conversation, wherever it stands in the prompt. A prompt without a conversation is one message. */
function linesOf({ system, messages }: GenerateRequest): readonly TranscriptLine[] {
  const said = messages.map(({ text }) => text)
  const lines = [system, ...said].flatMap(readTranscript)
  return lines.length > 0 ? lines : said.map(text => ({ at: '', name: 'someone', text }))
}
