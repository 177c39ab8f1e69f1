import type { ChatCommand } from '../../api/index.ts'
import { WORDS } from '../commands/words.ts'
import type { EmergencyStop } from './emergency-stop.ts'

/** @param name of the slash command */
export function stopCommands(stop: EmergencyStop, name: () => string): readonly ChatCommand[] {
  return [
    {
      name: 'stop',
      does: { en: 'I say nothing at all in this workspace', ja: 'このワークスペースでは一切話さない' },
      permission: 'admin',
      run({ conversation, person, locale }) {
        stop.stop(conversation, person)
        return WORDS[locale].stopped(name())
      },
    },
    {
      name: 'start',
      does: { en: 'ends stop', ja: 'stop を解除する' },
      permission: 'admin',
      run: ({ conversation, locale }) => WORDS[locale][stop.start(conversation) ? 'started' : 'startedElsewhere'],
    },
  ]
}
