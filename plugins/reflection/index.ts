/** Makes facts from conversations, after they have become quiet. */
import { Facts } from '@kikimimi/facts'
import { definePlugin } from 'kikimimi'
import { forgetPerson } from './forget.ts'
import { options } from './options.ts'
import { createReflect } from './reflect.ts'
import { tidy } from './tidy.ts'

export default definePlugin({
  name: 'reflection',
  options,
  needs: [Facts],
  scoped: ['instructions', 'schema'],
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  setup: (ctx, options) => {
    const { isDue, reflect } = createReflect(ctx, options)
    // One at a time over all processes: this limits the load on the model, and each message is read once. A failure is
    // stored
    // with the place instead of a retry of the job.
    const job = ctx.job<Record<string, never>>('reflect', reflect, { retries: 0 })
    ctx.every('look', '1m', async () => {
      if (await isDue()) await job.schedule({}, { key: 'reflect' })
    })
    ctx.every('tidy', '1d', () => tidy(ctx.db))

    return { forget: person => forgetPerson(ctx.db, person) }
  },
})
