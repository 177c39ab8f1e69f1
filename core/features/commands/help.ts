import type { ChatCommand } from '../../api/index.ts'
import { WORDS } from './words.ts'

/** @param name of the slash command */
export function helpCommand(commands: readonly ChatCommand[], name: () => string): ChatCommand {
  return {
    name: 'help',
    does: { en: 'this list', ja: 'この一覧' },
    permission: 'everyone',
    run({ locale }) {
      const words = WORDS[locale]
      const lines = commands.map(({ name: word, usage, does, permission }) => {
        const call = usage === undefined ? word : `${word} ${usage}`
        return `• ${call}: ${does[locale]}${words.who[permission]}`
      })
      return [words.helpFor(name()), ...lines, words.elseSaid].join('\n')
    },
  }
}
