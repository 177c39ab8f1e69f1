/** Remembers what happens in channels, threads and the workspace. */
import { definePlugin, type LogBatch, languageOf, MessageLog, runWhenDue } from 'kikimimi'
import { listMemories } from './list.ts'
import { options } from './options.ts'
import { sectionsOf } from './sections.ts'
import { forgetPerson, forgetWords } from './storage/forget.ts'
import { keepPlaces } from './storage/places.ts'
import { readableIn } from './storage/readable.ts'
import { tidy } from './storage/tidy.ts'
import { Summaries } from './summaries.ts'
import { summaryCommand } from './summary-command.ts'
import { setAside } from './update/failures.ts'
import { createReadOn } from './update/read-on.ts'
import { createUpdate } from './update/update-all.ts'
import { createUpdateOne } from './update/update-one.ts'
import { createWriter } from './update/writer.ts'

export * from './summaries.ts'

/** Maximum number of messages in a batch, if no more are wanted. */
const MESSAGES = 100

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

    const writer = createWriter(ctx, options)
    const updateOne = createUpdateOne(ctx, options, writer)
    const updateBy = runWhenDue(ctx, 'update', createUpdate(ctx, options, updateOne))
    const updateSoon = () => updateBy(new Date(clock.now()))
    const following = {
      most: Math.max(MESSAGES, options.everyMessages),
      every: { messages: options.everyMessages, ms: options.everyMinutes * 60_000 },
      all: true,
      run: createReadOn(ctx, options, { writer, updateOne, updateSoon }),
      skipped: (batch: LogBatch) => setAside(db, batch, new Date(clock.now())),
    }
    const channels = await messages.follow(ctx, { name: 'memory-summary', ...following })
    const threads = await messages.follow(ctx, { name: 'memory-summary-threads', threads: true, ...following })
    // The memory of a workspace was cleared.
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

      async after(turn) {
        // Prompts list a new channel at once.
        await keepPlaces(db, turn.conversation, new Date(clock.now()))
        await channels.after(turn)
        if (turn.conversation.thread !== undefined) await threads.after(turn)
      },
    }
  },
})
