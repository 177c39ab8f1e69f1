import type { ChatCommand } from 'kikimimi'
import { readSpan } from './asked.ts'
import type { Digests } from './digest.ts'
import { texts } from './texts.ts'

/** `/kiki missed`, `/kiki missed yesterday`. Where the platform can do that, its author alone sees the answer. */
export function missedCommand(digests: Digests): ChatCommand {
  return {
    name: 'missed',
    names: texts.all('command.name'),
    does: texts.all('command'),
    usage: '[time]',
    permission: 'everyone',
    // "/kiki missed you all" is a message to the bot.
    takes: text => text === '' || (text.length <= 40 && readSpan(text) !== undefined),
    async run({ conversation, person, text, locale, signal }) {
      const span = readSpan(text)
      const digest = await digests.forPerson({ conversation, person, locale, signal, ...(span && { span }) })
      return digest.text
    },
  }
}
