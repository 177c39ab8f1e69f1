/** Helpers for tests of the memory. */
import { type Conversation, conversationId, definePlugin, type Plugin } from 'kikimimi'
import { type FactStore, Facts, type NewFact, type Recalled } from './api/facts.ts'
import facts from './index.ts'

/** The plugin and its service, available after the start of the bot. */
export function borrowedFacts(options: Parameters<typeof facts>[0] = {}): { plugins: Plugin[]; store: () => FactStore } {
  let lent: FactStore | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      lent = ctx.use(Facts)
    },
  })
  const store = () => {
    if (lent) return lent
    throw new Error('the bot has not started')
  }
  return { plugins: [facts(options), borrower()], store }
}

export function place(channel = 'general', more: Partial<Conversation> = {}): Conversation {
  const where = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public', ...more } as const
  return { ...where, id: conversationId(where) }
}

export function fact(content: string, more: Partial<NewFact> = {}): NewFact {
  return { conversation: place(), content, ...more }
}

export function textsOf(recalled: readonly Recalled[]): string[] {
  return recalled.map(one => (one.kind === 'fact' ? one.fact.content : one.message.text))
}

/** An embedding model that gives texts of one topic (a word of the list) one direction. It can be set to fail. */
export function topicVectors(topics: readonly RegExp[], { model = 'topics', dimensions = topics.length + 1 } = {}) {
  const state = { asked: [] as string[][], fault: undefined as Error | number | undefined }
  return Object.assign(state, {
    model,
    async embedDocuments(texts: string[]): Promise<number[][]> {
      state.asked.push(texts)
      if (state.fault instanceof Error) throw state.fault
      const length = state.fault ?? dimensions
      return texts.map(text =>
        Array.from({ length }, (_, at) => (at === length - 1 ? 0.1 : Number(topics[at]?.test(text) ?? false))),
      )
    },
  })
}
