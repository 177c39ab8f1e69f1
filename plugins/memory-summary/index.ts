/** Remembers what happens in channels, threads and the workspace. */
import { type Conversation, definePlugin, type LogBatch, languageOf, MessageLog, RecentMap, runWhenDue } from 'kikimimi'
import { listMemories } from './list.ts'
import { options } from './options.ts'
import { sectionsOf } from './sections.ts'
import { forgetPerson, forgetWords } from './storage/forget.ts'
import { addPlaces } from './storage/places.ts'
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

/** Maximum number of places that are known to be kept. */
const PLACES = 10_000

/** Maximum number of messages in a batch, if no more are wanted. */
const MESSAGES = 100

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

    const kept = new RecentMap<true>(PLACES)
    /** Prompts list a new channel before its first batch, which keeps it. */
    const fresh: Conversation[] = []
    const addAll = async () => {
      for (const one of fresh.splice(0)) await addPlaces(db, one, new Date(clock.now()))
    }
    function addSoon(conversation: Conversation): void {
      if (fresh.push(conversation) > 1) return
      const add = () => void addAll().catch((error: unknown) => log.warn('could not add a place', { error }))
      ctx.scope.adopt(clock.setTimeout(add, MINUTE), timer => clock.clearTimeout(timer))
    }
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
        const { id, visibility, thread } = turn.conversation
        const here = `${id} ${visibility}`
        if (!kept.get(here)) addSoon(turn.conversation)
        kept.set(here, true)
        await channels.after(turn)
        if (thread !== undefined) await threads.after(turn)
      },
    }
  },
})
