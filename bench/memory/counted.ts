/** A model that answers as one would at its longest, so that its tokens can be counted. */
import { type ChatModel, estimateTokens } from 'kikimimi'
import { type Line, readTranscript } from '../../core/prompt/transcript.ts'

/** Sums up at the length that it is allowed, and finds a fact in every tenth message. */
export const counted: ChatModel = {
  name: 'counted',
  async generate({ role, system }) {
    const said = readTranscript(system)
    const value =
      role === 'summary' ? notes(said) : { facts: said.filter((_, at) => at % 10 === 0).map(fact), profiles: people(said) }
    return { text: '', value, toolCalls: [] }
  },
}

function notes(said: readonly Line[]) {
  const words = said.flatMap(({ text }) => text.split(/\s+/))
  let summary = 'On that day,'
  for (let at = 0; estimateTokens(summary) < 280; at++) summary += ` ${words[at % Math.max(1, words.length)] ?? 'quiet'}`
  return { summary, memory: summary, mood: 'casual and lively', topics: ['builds', 'invoices', 'lunch', 'caches', 'minutes'] }
}

function fact({ name, text, id }: Line) {
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

function people(said: readonly Line[]) {
  return [...new Set(said.map(({ name }) => name))].slice(0, 5).map(name => ({
    ...{ name, tags: ['builds', 'curry'], personality: 'Helps others, and writes in short sentences.' },
    lastConversation: 'Whether the build fails for the others too, and what to have for lunch.',
  }))
}
