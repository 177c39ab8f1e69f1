/** A model with answers of maximum length, so that its tokens can be counted. */
import { estimateTokens } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { readTranscript, type TranscriptLine } from '../../../core/prompt/transcript.ts'

/** Summarizes at the allowed length, and extracts a fact from every tenth message. */
export const counted: ChatModel = {
  name: 'counted',
  async generate({ role, messages }) {
    const said = messages.flatMap(({ text }) => readTranscript(text))
    const value =
      role === 'summary' ? notes(said) : { facts: said.filter((_, at) => at % 10 === 0).map(fact), profiles: people(said) }
    return { text: '', value, toolCalls: [] }
  },
}

function notes(said: readonly TranscriptLine[]) {
  const words = said.flatMap(({ text }) => text.split(/\s+/))
  let summary = 'On that day,'
  for (let at = 0; estimateTokens(summary) < 280; at++) summary += ` ${words[at % Math.max(1, words.length)] ?? 'quiet'}`
  return { summary, memory: summary, mood: 'casual and lively', topics: ['builds', 'invoices', 'lunch', 'caches', 'minutes'] }
}

function fact({ name, text, id }: TranscriptLine) {
  return {
    ...{
      content: `${name} said on 5 January: ${text}`.slice(0, 200),
      kind: 'current',
      people: [name],
      keywords: text.split(/\s+/).slice(0, 5),
    },
    ...{ confidence: 0.9, shareable: false, message: id, quote: text.slice(0, 200), replaces: [] },
  }
}

function people(said: readonly TranscriptLine[]) {
  return [...new Set(said.map(({ name }) => name))].slice(0, 5).map(name => ({
    ...{ name, tags: ['builds', 'curry'], personality: 'Helps others, and writes in short sentences.' },
    lastConversation: 'Whether the build fails for the others too, and what to have for lunch.',
  }))
}
