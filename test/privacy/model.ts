/** Models that keep nothing to themselves: they repeat every secret in their prompt, openly or by its synonym. */
import { offline } from '@kikimimi/offline'
import { type ChatModel, type GenerateRequest, readTranscript } from 'kikimimi/model'
import { scriptedModel } from 'kikimimi/testing'
import { callsOf } from '../../core/testing/privacy/check.ts'
import { secretsIn, synonymOf } from './words.ts'

/** `tools`: it repeats too, and calls every tool first. `offline`: the offline model. */
export type Manner = 'repeat' | 'paraphrase' | 'tools' | 'offline'

export interface Gossip {
  readonly manner: Manner
  /** True: the model searches the memory before it answers this prompt. */
  searches(prompt: string): boolean
  /** Gets each request before it is answered. */
  heard(request: GenerateRequest, text: string): void | Promise<void>
}

export function gossips({ manner, searches, heard }: Gossip): { readonly chat: ChatModel } {
  const tell = (text: string) => {
    const secrets = secretsIn(text)
    return (manner === 'paraphrase' ? secrets.map(synonymOf) : secrets).join(' ')
  }
  if (manner === 'offline') {
    const model = offline()
    const generate: ChatModel['generate'] = async request => {
      await heard(request, textOf(request))
      return model.generate(request)
    }
    return { chat: { ...model, generate } }
  }

  const chat = scriptedModel(async request => {
    const text = textOf(request)
    await heard(request, text)
    const { role, tools = [], messages } = request
    if (role === 'reflection') return { value: reflected(text, tell) }
    if (request.schema) {
      const told = tell(text) || 'nothing'
      return { value: { summary: told, mood: told, topics: told.split(' ').slice(0, 5), memory: told } }
    }
    if (role === 'judge') return 'YES'
    const asked = messages.some(one => one.role === 'tool')
    if (manner === 'tools' && !asked && tools.length > 0) return { toolCalls: callsOf(tools, tell(text) || 'nothing') }
    if (!asked && tools.some(({ name }) => name === 'search_memory') && searches(text)) {
      return {
        toolCalls: [{ id: 'search', name: 'search_memory', args: { query: 'the code of the locker, the door, the safe' } }],
      }
    }
    const known = tell(text) || 'nothing'
    return text.length % 4 === 0 ? `I will look at ${known} in one hour.` : `I know of ${known}.`
  })
  return { chat }
}

function textOf({ system, messages }: GenerateRequest): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}

/** A fact from each message with a secret, and notes on the people who told one. */
function reflected(prompt: string, tell: (text: string) => string) {
  const told = readTranscript(prompt).filter(({ text }) => secretsIn(text).length > 0)
  const facts = told.map(({ name, text, id = '' }) => ({
    ...{
      content: `${name} told the code ${tell(text)}`,
      quote: text,
      message: id,
      people: [name],
      keywords: tell(text).split(' '),
    },
    ...{ kind: 'durable', confidence: 0.9, shareable: true, replaces: [] },
  }))
  const profiles = [...Map.groupBy(told, ({ name }) => name)].map(([name, lines]) => {
    const known = tell(lines.map(({ text }) => text).join(' '))
    return { name, tags: known.split(' ').slice(0, 5), personality: `knows ${known}`, lastConversation: `told ${known}` }
  })
  return { facts, profiles }
}
