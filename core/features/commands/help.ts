import type { ChatCommand, ChatCommands } from '../../api/index.ts'
import { texts } from '../../base/text/core-texts.ts'

/** @param name the name of the slash command */
export function helpCommand(commands: Pick<ChatCommands, 'all'>, name: () => string): ChatCommand {
  return {
    name: 'help',
    does: texts.all('command.help'),
    permission: 'everyone',
    run({ locale }) {
      const say = texts(locale)
      const lines = commands.all.map(({ name: word, usage, does, permission }) => {
        const call = usage === undefined ? word : `${word} ${usage}`
        return say(`help.${permission}`, { call, does: does[locale] ?? does.en ?? '' })
      })
      return [say('help.head', { name: name() }), ...lines, say('help.else')].join('\n')
    },
  }
}
