/** Remembers what happens in channels, threads and the workspace. */
import { channelOf, definePlugin, languageOf } from 'kikimimi'
import { listMemories } from './list.ts'
import { options } from './options.ts'
import { sectionsOf } from './sections.ts'
import { forgetPerson, forgetWords } from './storage/forget.ts'
import { readableIn } from './storage/readable.ts'
import { tidy } from './storage/tidy.ts'
import { Summaries } from './summaries.ts'
import { summaryCommand } from './summary-command.ts'
import { createUpdate } from './update/update-all.ts'

export * from './summaries.ts'

/** Maximum number of channels with message counts. A forgotten channel waits up to a minute longer. */
const COUNTED = 10_000

const DAY = 24 * 60 * 60_000

export default definePlugin({
  name: 'memory-summary',
  options,
  provides: [Summaries],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  setup: (ctx, options) => {
    const { db, clock } = ctx
    const ago = (ms: number) => new Date(clock.now() - ms)

    const { isDue, bringUpToDate } = createUpdate(ctx, options)
    // One at a time over all processes: this limits the load on the model and prevents concurrent writes. A failure is
    // stored with the memory instead of a retry of the job.
    const update = ctx.job<Record<string, never>>('update', bringUpToDate, { retries: 0 })
    const updateSoon = () => update.schedule({}, { key: 'update' })
    // Updates that no turn triggers: messages without a turn, time limits, work before a restart.
    ctx.every('look', '1m', async () => {
      if (await isDue()) await updateSoon()
    })
    ctx.every('tidy', '1d', () => tidy(db, ago(options.threadMemoryDays * DAY)))

    ctx.provide(Summaries, {
      list: () => listMemories(db),
      async forget(person) {
        const cleared = await forgetWords(db, person)
        if (cleared > 0) await updateSoon()
        return cleared
      },
    })

    const since = () => ({ channels: ago(options.activeChannelDays * DAY), threads: ago(options.threadMemoryDays * DAY) })
    const counts = new Map<string, number>()

    return {
      commands: [summaryCommand(db, since)],
      forget: person => forgetPerson(db, person),

      async context({ conversation, history }) {
        const readable = await readableIn(db, conversation, since())
        return sectionsOf(readable, conversation, languageOf(history, ctx.locale))
      },

      async after({ conversation, messages }) {
        const channel = channelOf(conversation)
        const count = (counts.get(channel) ?? 0) + messages.length
        counts.delete(channel)
        if (count >= options.everyMessages) return updateSoon()
        counts.set(channel, count)
        if (counts.size > COUNTED) counts.delete(counts.keys().next().value ?? '')
      },
    }
  },
})
