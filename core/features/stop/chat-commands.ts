import type { ChatCommand } from '../../api/index.ts'
import { WORDS } from '../commands/words.ts'
import type { EmergencyStop } from './emergency-stop.ts'

/** @param name of the slash command */
export function stopCommands(halt: EmergencyStop, name: () => string): readonly ChatCommand[] {
  return [
    {
      name: 'stop',
      does: { en: 'I say nothing at all in this workspace', ja: 'このワークスペースでは一切話さない' },
      permission: 'admin',
      run({ conversation, person, locale }) {
        halt.stop(conversation, person)
        return WORDS[locale].stopped(name())
      },
    },
    {
      name: 'start',
      does: { en: 'ends stop', ja: 'stop を解除する' },
      permission: 'admin',
      run: ({ conversation, locale }) => WORDS[locale][halt.start(conversation) ? 'started' : 'startedElsewhere'],
    },
  ]
}
