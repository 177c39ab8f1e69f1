/** Extracts facts from a conversation when it has become quiet. */
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
  migrations: new URL('./migrations/', import.meta.url),
  remembers: true,
  prompts: new URL('./prompts/', import.meta.url),
  setup: (ctx, options) => {
    const { isDue, reflect } = createReflect(ctx, options)
    // One at a time in the whole deployment: gentle with the model, and no message is read twice. A failure is written
    // down with the place, not tried again as a job.
    const job = ctx.job<Record<string, never>>('reflect', reflect, { retries: 0 })
    ctx.every('look', '1m', async () => {
      if (await isDue()) await job.schedule({}, { key: 'reflect' })
    })
    ctx.every('tidy', '1d', () => tidy(ctx.db))

    return { forget: person => forgetPerson(ctx.db, person) }
  },
})
