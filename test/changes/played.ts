/** Plays pairs of statements to a whole bot, and looks which facts have become history. */
import facts, { type Fact, type FactStore, Facts } from '@kikimimi/facts'
import { offline } from '@kikimimi/offline'
import reflection from '@kikimimi/reflection'
import { type Conversation, conversationId, definePlugin } from 'kikimimi'
import { type ChatModel, readTranscript } from 'kikimimi/model'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import type { Pair } from './pairs.ts'

/** Who extracts the facts: the script of the pairs, or the offline model. */
export type Extractor = 'right' | 'wrong' | 'offline'

export interface Outcome {
  readonly pair: Pair
  /** Whether the first fact was stored. */
  readonly kept: boolean
  /** Whether the first fact is history. */
  readonly retired: boolean
  /** Whether the extractor said that the first fact no longer holds. */
  readonly verdict: boolean
  /** Whether the first fact holds again after one undo of the batch that retired it. */
  readonly restored: boolean
}

/** Each pair has its own workspace, so that a pair knows only its own facts. */
export async function play(pairs: readonly Pair[], extractor: Extractor): Promise<readonly Outcome[]> {
  let lent: FactStore | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      lent = ctx.use(Facts)
    },
  })
  await using bot = await testBot({
    plugins: [facts(), reflection({ lull: '1m', minMessages: 1 }), borrower],
    storage: 'pglite',
    models: { chat: scriptedModel('I see.'), reflection: extractor === 'offline' ? offline() : scripted(pairs, extractor) },
  })
  if (!lent) throw new Error('the bot has not started')
  const store = lent

  const longest = Math.max(...pairs.map(({ talk }) => talk.length))
  for (let at = 0; at < longest; at++) {
    for (const { id, talk } of pairs) {
      const line = talk[at]
      if (line) await bot.say(line.by, line.text, { workspace: id, at: new Date(`${line.on}T10:00:00Z`) })
    }
    await bot.pass('5m')
  }

  const first = async ({ id, right }: Pair): Promise<Fact | undefined> => {
    const all = await store.list({ conversation: placeOf(id), history: true, limit: 100 })
    // The offline model has its own words: its oldest fact is the first one.
    return extractor === 'offline' ? all.at(-1) : all.find(({ content }) => content === right[0]?.content)
  }
  const before = await Promise.all(pairs.map(first))
  const { rows } = await bot.db.query<{ batch: number }>(
    'select distinct retired_in as batch from facts.fact where retired_in is not null order by 1',
  )
  for (const { batch } of rows) await store.undo(batch)
  const after = await Promise.all(pairs.map(first))
  return pairs.map((pair, at) => ({
    pair,
    kept: before[at] !== undefined,
    retired: isOver(before[at]),
    verdict: extractor !== 'offline' && pair[extractor].some(({ replaces }) => replaces?.includes(0)),
    restored: isOver(before[at]) && after[at] !== undefined && !isOver(after[at]),
  }))
}

function isOver(fact: Fact | undefined): boolean {
  return fact?.validTo !== undefined
}

function placeOf(workspace: string): Conversation {
  const where = { platform: 'test', workspace, channel: 'general', name: 'general', visibility: 'public' } as const
  return { ...where, id: conversationId(where) }
}

function scripted(pairs: readonly Pair[], extractor: 'right' | 'wrong'): ChatModel {
  return scriptedModel(request => {
    const prompt = promptOf(request)
    const known = [...prompt.matchAll(/^- \[(k\d+)\] (.*)$/gm)]
    const labelsOf = (content = '') => known.flatMap(([, label = '', shown = '']) => (shown.includes(content) ? label : []))
    const found = readTranscript(prompt).flatMap(({ name, text, id = '' }) =>
      pairs.flatMap(pair =>
        pair[extractor]
          .filter(({ message }) => pair.talk[message]?.by === name && pair.talk[message]?.text === text)
          .map(({ replaces = [], ...claim }) => ({
            ...claim,
            ...{ keywords: [], confidence: 0.9, shareable: false, message: id, quote: text },
            replaces: replaces.flatMap(index => labelsOf(pair[extractor][index]?.content)),
          })),
      ),
    )
    return { value: { facts: found, profiles: [] } }
  })
}
