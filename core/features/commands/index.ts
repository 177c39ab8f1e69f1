/** The chat commands, including those of the bot itself. */
import { ChatCommands, definePlugin, type Plugin } from '../../api/index.ts'
import { commandName } from '../../prompt/persona.ts'
import type { Store } from '../../storage/store/store.ts'
import { type CommandsOptions, createChatCommands } from './commands.ts'
import { helpCommand } from './help.ts'
import { type StatusOptions, statusCommand } from './status.ts'
import { textCommands } from './text-commands.ts'
import { whyCommand } from './why.ts'

export interface CommandsFeatureOptions
  extends Omit<CommandsOptions, 'locale'>,
    Omit<StatusOptions, 'name' | 'statuses' | 'store'> {
  readonly store: Store
}

export function commandsFeature(options: CommandsFeatureOptions): Plugin {
  const { host, store } = options
  return definePlugin({
    name: 'kikimimi-commands',
    provides: [ChatCommands],
    setup(ctx) {
      const commands = createChatCommands({ ...options, locale: () => ctx.bot.locale })
      ctx.provide(ChatCommands, commands)
      const name = () => commandName(ctx.bot)
      const statuses = () => host.hooks('status').map(({ hook }) => hook)
      return {
        ...textCommands(commands),
        commands: [helpCommand(commands, name), statusCommand({ ...options, name, statuses }), whyCommand(store)],
      }
    },
  })()
}
