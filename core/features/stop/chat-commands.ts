import type { ChatCommand } from '../../api/index.ts'
import { texts } from '../../base/text/core-texts.ts'
import type { EmergencyStop } from './emergency-stop.ts'

/** @param name the name of the slash command */
export function stopCommands(stop: EmergencyStop, name: () => string): readonly ChatCommand[] {
  return [
    {
      name: 'stop',
      names: texts.all('command.stop.name'),
      does: texts.all('command.stop'),
      permission: 'admin',
      // An admin can always stop the bot, and end that.
      access: 'always',
      applies: conversation => stop.of(conversation) === undefined,
      run({ conversation, person, locale }) {
        stop.stop(conversation, person)
        return texts(locale)('stopped', { name: name() })
      },
    },
    {
      name: 'start',
      names: texts.all('command.start.name'),
      does: texts.all('command.start'),
      permission: 'admin',
      access: 'always',
      applies: conversation => stop.of(conversation) !== undefined,
      run: ({ conversation, locale }) => texts(locale)(stop.start(conversation) ? 'started' : 'startedElsewhere'),
    },
  ]
}
