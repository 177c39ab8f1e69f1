/** From talk to facts: looks back on what people said when they have stopped talking. */
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
  setup: (app, options) => {
    const { isDue, reflect } = createReflect(app, options)
    // One at a time in the whole deployment: gentle with the model, and no message is read twice. A failure is written
    // down with the place, not tried again as a job.
    const job = app.job<Record<string, never>>('reflect', reflect, { retries: 0 })
    app.every('look', '1m', async () => {
      if (await isDue()) await job.schedule({}, { key: 'reflect' })
    })
    app.every('tidy', '1d', () => tidy(app.db))

    return { forget: person => forgetPerson(app.db, person) }
  },
})
