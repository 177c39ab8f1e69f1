import type { ChatModel, Generated, GenerateRequest } from 'kikimimi/model'
import { jsonSchemaOf, readTranscript, type TranscriptLine } from 'kikimimi/model'
import { acknowledgement, answer } from './chat.ts'
import { fill } from './fill.ts'
import { hear } from './heard.ts'
import { hourly, type IsHintDue } from './hint.ts'
import { digest, judge } from './listen.ts'
import { notesIn } from './notes.ts'
import { remark } from './remark.ts'

export { offlineGreeting } from './texts.ts'

/** A request with at most this many output tokens expects a short phrase. */
const ACKNOWLEDGEMENT = 50

/**
 * A model that answers, judges and summarises by rules, in the languages of `language/`, without a key or a network. The same
 * request always gets the same answer, and every answer comes from messages of people. The hint that a key can be set follows an answer
 * at most once an hour.
 */
export function offline(): ChatModel {
  const isHintDue = hourly()
  return { name: 'offline', generate: async request => generate(request, isHintDue) }
}

function generate(request: GenerateRequest, isHintDue: IsHintDue): Generated {
  const { role, system, schema } = request
  if (role === 'chat' && !schema) return { text: chat(request, isHintDue), toolCalls: [] }
  const said = saidTo(request)
  const prompt = said.join('\n\n')
  const lines = linesOf(said)
  const verdict = judge(system, prompt, lines)
  const notes = digest(system, prompt, lines, role === 'summary' ? notesIn(prompt) : [])
  if (schema) {
    const shape = jsonSchemaOf(schema)
    const known = { ...notes, ...verdict, remark: remark(prompt) }
    return { text: '', ...(shape && { value: fill(shape, known) }), toolCalls: [] }
  }
  if (role !== 'judge') return { text: String(notes.summary) || '…', toolCalls: [] }
  // A judge that expects a word gets one of the words that it is told.
  return { text: /\bENDING\b/.test(system) ? verdict.state : verdict.verdict, toolCalls: [] }
}

function chat(request: GenerateRequest, isHintDue: IsHintDue): string {
  const { system, maxTokens = Number.POSITIVE_INFINITY, tools = [] } = request
  const [prompt = '', ...added] = saidTo(request)
  const heard = hear(system, prompt, added)
  if (maxTokens <= ACKNOWLEDGEMENT) return acknowledgement(heard.at(-1) ?? heard[0])
  const given = { isHintDue, tools: tools.map(({ name }) => name) }
  return [...new Set(heard.map(one => answer(one, given)))].join('\n')
}

/** What people, memory and tools gave to the model. The system text has only the words of the bot itself. */
function saidTo({ messages }: GenerateRequest): readonly string[] {
  return messages.flatMap(({ role, text }) => (role === 'user' ? text : []))
}

/** The conversation in a prompt. A text without the layout of a prompt is one message. */
function linesOf(said: readonly string[]): readonly TranscriptLine[] {
  const lines = said.flatMap(readTranscript)
  return lines.length > 0 || said.some(text => /^---$/m.test(text))
    ? lines
    : said.map(text => ({ at: '', name: 'someone', text }))
}
