import type { ChatCommand, ChatCommands } from '../../api/index.ts'
import { texts } from '../../base/text/core-texts.ts'
import { usageOf } from './commands.ts'

/** @param name the name of the slash command */
export function helpCommand(commands: Pick<ChatCommands, 'all'>, name: () => string): ChatCommand {
  return {
    name: 'help',
    names: texts.all('command.help.name'),
    does: texts.all('command.help'),
    permission: 'everyone',
    access: 'always',
    run({ locale }) {
      const say = texts(locale)
      // Commands of the menu of a message stand there.
      const lines = commands.all
        .filter(({ on }) => on?.at !== 'message')
        .map(command => {
          const { does, permission } = command
          return say(`help.${permission}`, { call: usageOf(command), does: does[locale] ?? does.en ?? '' })
        })
      return [say('help.head', { name: name() }), ...lines, say('help.else')].join('\n')
    },
  }
}
