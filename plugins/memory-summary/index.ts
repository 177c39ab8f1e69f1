/** Remembers what happens in channels, threads and the workspace. */
import { channelOf, definePlugin, languageOf, MessageLog, RecentMap, runWhenDue } from 'kikimimi'
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

/** Maximum number of channels with message counts. */
const COUNTED = 10_000

const MINUTE = 60_000
const DAY = 24 * 60 * 60_000

export default definePlugin({
  name: 'memory-summary',
  options,
  needs: [MessageLog],
  provides: [Summaries],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  async setup(ctx, options) {
    const { db, clock, log } = ctx
    const messages = ctx.use(MessageLog)
    const ago = (ms: number) => new Date(clock.now() - ms)

    // One at a time over all processes: this limits the load on the model and prevents concurrent writes.
    const updateBy = runWhenDue(ctx, 'update', createUpdate(ctx, options))
    const updateSoon = (ms = 0) => updateBy(new Date(clock.now() + ms))
    // A message was edited or deleted, and its summary was cleared.
    const onCleared = () => void updateSoon().catch((error: unknown) => log.warn('could not plan an update', { error }))
    ctx.scope.defer(await db.listen('memory_summary.cleared', onCleared))
    ctx.every('tidy', '1d', () => tidy({ db, messages }, ago(options.threadMemoryDays * DAY)))

    ctx.provide(Summaries, {
      list: channel => listMemories(db, channel),
      async forget(person) {
        const cleared = await forgetWords({ db, messages }, person)
        if (cleared > 0) await updateSoon()
        return cleared
      },
    })

    const since = () => ({ channels: ago(options.activeChannelDays * DAY), threads: ago(options.threadMemoryDays * DAY) })
    const counts = new RecentMap<number>(COUNTED)

    return {
      commands: [summaryCommand(db, since)],
      async forget(person) {
        await forgetPerson(db, person)
        await updateSoon()
      },

      async context({ conversation, history }) {
        const readable = await readableIn(db, conversation, since())
        return sectionsOf(readable, conversation, languageOf(history, ctx.bot.locale))
      },

      async after({ conversation, messages }) {
        const channel = channelOf(conversation)
        const known = counts.get(channel)
        const count = (known ?? 0) + messages.length
        const isFull = count >= options.everyMessages
        const oldest = Math.min(clock.now(), ...messages.map(({ at }) => at.getTime()))
        if (isFull) await updateSoon()
        else await updateBy(new Date(oldest + options.everyMinutes * 60_000))
        // A new channel gets its memory, which prompts list. Of a channel that was forgotten, the log knows the count.
        if (known === undefined && !isFull) await updateSoon(MINUTE)
        const counted = counts.get(channel) ?? 0
        counts.set(channel, isFull ? 0 : counted + messages.length)
      },
    }
  },
})
