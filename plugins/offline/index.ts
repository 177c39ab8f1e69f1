import type { ChatModel, Generated, GenerateRequest } from 'kikimimi'
import { jsonSchemaOf, readTranscript, type TranscriptLine } from 'kikimimi/model'
import { acknowledgement, answer } from './chat.ts'
import { fill } from './fill.ts'
import { hear } from './heard.ts'
import { digest, judge } from './listen.ts'
import { notesIn } from './notes.ts'
import { remark } from './remark.ts'

export { offlineGreeting } from './texts.ts'

/** Up to this many output tokens, a few words are wanted and not an answer. */
const ACKNOWLEDGEMENT = 50

/**
 * A model without a model: it answers, judges and sums up by rules, in the languages of `language/`, with neither key nor
 * network. The same request always gives the same answer, and every answer comes from what people said.
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

/** A judge who is asked in words answers with one of those it was given. */
function word({ system, messages }: GenerateRequest, verdict: ReturnType<typeof judge>): string {
  const prompt = [system, ...messages.map(({ text }) => text)].join('\n')
  return /\bENDING\b/.test(prompt) ? verdict.state : verdict.verdict
}

/** The conversation, wherever the prompt has it; a prompt without one is taken for what somebody said. */
function linesOf({ system, messages }: GenerateRequest): readonly TranscriptLine[] {
  const said = messages.map(({ text }) => text)
  const lines = [system, ...said].flatMap(readTranscript)
  return lines.length > 0 ? lines : said.map(text => ({ at: '', name: 'someone', text }))
}
