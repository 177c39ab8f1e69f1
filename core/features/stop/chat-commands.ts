import type { ChatCommand } from '../../api/plugin.ts'
import { texts } from '../../base/core-texts.ts'
import type { EmergencyStop } from './emergency-stop.ts'

/** @param name of the slash command */
export function stopCommands(halt: EmergencyStop, name: () => string): readonly ChatCommand[] {
  return [
    {
      name: 'stop',
      does: texts.all('command.stop'),
      permission: 'admin',
      run({ conversation, person, locale }) {
        halt.stop(conversation, person)
        return texts(locale)('stopped', { name: name() })
      },
    },
    {
      name: 'start',
      does: texts.all('command.start'),
      permission: 'admin',
      run: ({ conversation, locale }) => texts(locale)(halt.start(conversation) ? 'started' : 'startedElsewhere'),
    },
  ]
}
