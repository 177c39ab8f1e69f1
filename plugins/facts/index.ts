/** Stores facts and messages, and recalls them when the bot has decided to answer. */
import { definePlugin, duration, languageOf, MessageLog, type Turn } from 'kikimimi'
import { z } from 'zod'
import { Facts } from './api/facts.ts'
import { Vectors } from './api/vectors.ts'
import { chosen, limitFor } from './chosen.ts'
import { factsCommand } from './cli.ts'
import { createFactStore } from './fact-store.ts'
import { MIN_RELEVANCE } from './search/relevance.ts'
import { createReranker } from './search/reranker.ts'
import { searchMemory } from './search-memory.ts'
import { formatRecalled, sourcesOf, titleIn } from './section.ts'
import { shownIn } from './shown.ts'
import { Shown } from './used.ts'
import { embedItems } from './vectors/embed-items.ts'
import { createEmbedder } from './vectors/embedder.ts'
import { buildGraphs } from './vectors/graph.ts'
import { pgvectorIndex } from './vectors/pgvector.ts'
import { vectorsWaiting } from './vectors/waiting.ts'

export * from './api/facts.ts'
export * from './api/review.ts'
export { checkVector, type Near, type Space, spaceKey, type VectorIndex, type VectorRow, Vectors } from './api/vectors.ts'
export { contentWords, isCopy } from './text/copies.ts'
export { foldLookalikes, HEARSAY, namesOneOf } from './text/hearsay.ts'
export { hasInstruction, isInstruction } from './text/instruction.ts'
export { ownPassages } from './text/own-words.ts'

/** Number of memories from which those for the prompt are chosen, as a factor of `limit`. */
const LOOKED_THROUGH = 4

/** Share of the score that a current fact keeps at any age, with `hybrid`. Measured by `bench:recall`. */
const FLOOR = 0.9

/** Milliseconds in which turns are collected before their messages are indexed. The working memory has them until then. */
const TOGETHER = 3_000

const share = z.number().min(0).max(1)

const options = z
  .strictObject({
    ranking: z
      .enum(['hybrid', 'classic'])
      .default('hybrid')
      .describe(
        'Ranking of what a search finds. `hybrid`: words, vectors, people, lines nearby and the sitting. `classic`: shared keywords × decay.',
      ),
    halfLife: duration.default('30d').describe('Half-life of a fact that no answer uses.'),
    minRelevance: share
      .optional()
      .describe(
        'Nothing is recalled unless a memory answers the question with this probability. Default: 0.03, with `classic` a score of 0.05.',
      ),
    forgetBelow: share.default(0.05).describe('The daily sweep deletes facts that have decayed below this value.'),
    maxPerChannel: z
      .int()
      .positive()
      .default(1_000)
      .describe('Maximum number of facts per channel. The weakest are deleted first.'),
    limit: z
      .int()
      .positive()
      .default(8)
      .describe('Maximum number of memories in a prompt. A question about several things gets up to twice as many.'),
    messages: z.boolean().default(true).describe('Recall messages as well as facts.'),
    tool: z.boolean().default(true).describe('Offer the model the tool `search_memory`.'),
  })
  .prefault({})

export default definePlugin({
  name: 'facts',
  options,
  needs: [MessageLog],
  provides: [Facts],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  examine: vectorsWaiting,
  cli: [factsCommand],
  setup: (ctx, options) => {
    const { db, clock } = ctx
    const log = ctx.use(MessageLog)
    const own = pgvectorIndex(db)
    const vectors = () => ctx.use(Vectors, 'optional') ?? own
    const embedder = createEmbedder(ctx)
    const { ranking, halfLife: halfLifeMs, minRelevance = ranking === 'classic' ? 0.05 : MIN_RELEVANCE } = options

    const embed = ctx.job<Record<string, never>>('embed', (_nothing, signal) =>
      embedItems({ db, log, embedder, vectors }, signal),
    )
    const store = createFactStore({
      db,
      log,
      clock,
      embedder,
      vectors,
      rerank: createReranker(ctx),
      settings: { ...options, floor: FLOOR, halfLifeMs, minRelevance },
      embedLater: () => embed.schedule({}, { key: 'embed' }),
    })
    ctx.provide(Facts, store)
    const shown = new Shown()

    const index = ctx.job<Record<string, never>>('index', async (_nothing, signal) => void (await store.index(signal)))
    /** Turns up to this time are covered by a scheduled run. */
    let indexed = Number.NEGATIVE_INFINITY
    ctx.every('tidy', '1d', async signal => {
      // Indexes messages without a turn, and those of failed jobs.
      await store.index(signal)
      await embedItems({ db, log, embedder, vectors }, signal)
      await store.sweep()
      await buildGraphs(db)
    })

    return {
      tools: options.tool ? [searchMemory(store, ctx, shown)] : [],

      async context(turn) {
        const { conversation, history, message, signal } = turn
        const except = shownIn(turn)
        const text = asked(turn)
        const limit = limitFor(text, options.limit)
        const recalled = await store.recall({
          conversation,
          text,
          asker: message.author.id,
          messages: options.messages,
          except,
          limit: LOOKED_THROUGH * limit,
          signal,
        })
        const related = chosen(recalled, limit)
        if (related.length === 0) return undefined
        shown.add(turn, related)
        const locale = languageOf(history, ctx.bot.locale)
        const section = formatRecalled(related, turn, locale, new Date(clock.now()))
        return { place: 'facts', title: titleIn(locale), text: section, sources: sourcesOf(related) }
      },

      async after(turn, trace) {
        await store.strengthen(await shown.usedIn(log, turn, trace))
        shown.forget(turn)
        const now = clock.now()
        if (now < indexed) return
        const at = now + TOGETHER
        await index.schedule({}, { at: new Date(at), key: 'index', unlessSooner: true })
        indexed = at
      },

      forget: async person => void (await store.forgetPerson(person)),
    }
  },
})

/** The text of the trigger's author in this batch, without the bot's name. */
function asked({ messages, message, me, persona: { names } }: Turn): string {
  const text = messages
    .filter(({ author }) => author.id === message.author.id)
    .map(({ text }) => text)
    .join('\n')
  return [...names, me.name].filter(name => name !== '').reduce((rest, name) => rest.replaceAll(name, ' '), text)
}
