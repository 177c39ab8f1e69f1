/** Makes facts from conversations, after they have become quiet. */
import { Facts } from '@kikimimi/facts'
import { definePlugin, MessageLog } from 'kikimimi'
import { options } from './options.ts'
import { createReflect } from './reflect.ts'

export default definePlugin({
  name: 'reflection',
  options,
  needs: [Facts, MessageLog],
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
  setup(ctx, options) {
    const { lull, maxMessages: most, minMessages: least } = options
    return ctx
      .use(MessageLog)
      .follow(ctx, { name: 'reflection', most, least, lull, again: 'edited', run: createReflect(ctx, options) })
  },
})
