/** Makes facts from conversations, after they have become quiet. */
import { Facts } from '@kikimimi/facts'
import { definePlugin, runWhenDue } from 'kikimimi'
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
  unused: (_options, bot): Readonly<Record<string, string>> => ({
    ...(!bot.optionsOf('profiles') && { profiles: 'the bot does not have the plugin profiles' }),
    ...(bot.modelsFor('reflection').every(name => name === 'offline') && {
      instructions: 'the offline model follows no instruction',
    }),
  }),
  setup: (ctx, options) => {
    const { clock } = ctx
    // One at a time over all processes: this limits the load on the model, and each message is read once.
    const reflect = createReflect(ctx, options)
    /** Unprocessed messages of the fullest place at the last run here, and those in turns since. */
    let most = 0
    const reflectBy = runWhenDue(ctx, 'reflect', async signal => {
      const after = await reflect(signal)
      most = after.most
      return after.next
    })
    ctx.every('tidy', '1d', () => tidy(ctx.db))

    return {
      forget: person => forgetPerson(ctx.db, person),

      async after({ messages }) {
        const isFull = most + messages.length > options.maxMessages
        await reflectBy(new Date(clock.now() + (isFull ? 0 : options.lull)))
        most = isFull ? 0 : most + messages.length
      },
    }
  },
})
