/** `/kiki remind …` and `/kiki reminders`: the same as the orders in words, without a message. */
import type { ChatCommand, CommandCall } from 'kikimimi'
import type { Asked, Executor } from './executor.ts'
import { whichOf } from './orders.ts'
import { readNote } from './request.ts'
import { texts } from './texts.ts'

export function commands(executor: Executor): readonly ChatCommand[] {
  const asked = ({ conversation, person, locale, moderates }: CommandCall): Asked => ({ conversation, person, locale, moderates })
  return [
    {
      name: 'remind',
      names: texts.all('command.remind.name'),
      does: texts.all('command.remind'),
      usage: 'WHEN WHAT',
      permission: 'everyone',
      access: 'order',
      run: async call => {
        const { content = '', when } = readNote(call.text.replace(/^(?:me|us)\s/i, ''), executor.nowIn(call.conversation)) ?? {}
        return executor.execute({ kind: 'set', content, ...(when && { when }) }, asked(call))
      },
    },
    {
      name: 'reminders',
      names: texts.all('command.reminders.name'),
      does: texts.all('command.reminders'),
      usage: '[cancel NO | move NO WHEN]',
      permission: 'everyone',
      access: 'order',
      takes: text => text === '' || CANCEL.test(text) || MOVE.test(text),
      run: async call => {
        const cancelled = CANCEL.exec(call.text)?.groups
        if (cancelled) return executor.execute({ kind: 'cancel', which: whichOf(cancelled.which), isSure: true }, asked(call))
        const { which, when } = MOVE.exec(call.text)?.groups ?? {}
        if (which && when) return executor.execute({ kind: 'move', which: whichOf(which), when, isSure: true }, asked(call))
        return executor.execute({ kind: 'list' }, asked(call))
      },
    },
  ]
}

const CANCEL = /^cancel\s+(?<which>w?\d{1,9})$/i
const MOVE = /^move\s+(?<which>\d{1,9})\s+(?:to\s+)?(?<when>\S.*)$/i
