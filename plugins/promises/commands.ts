/** `/kiki remind …` and `/kiki reminders`: the same as the orders in words, without a message. */
import { saidIn } from '@kikimimi/times'
import type { ChatCommand, CommandCall } from 'kikimimi'
import type { Asked, Executor } from './executor.ts'
import type { Which } from './reading/changes.ts'
import { readNote } from './reading/request.ts'
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
        const wanted = [{ content, ...(when && { when }) }]
        return (await executor.execute({ kind: 'set', wanted, isSure: true }, asked(call), true)).text
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
        const cancelled = CANCEL.exec(call.text)?.groups?.which
        const { which, when = '' } = MOVE.exec(call.text)?.groups ?? {}
        const said = saidIn(when)
        const order = cancelled
          ? ({ kind: 'cancel', which: numbered(cancelled), isNamed: true, isOne: true } as const)
          : which
            ? ({ kind: 'move', which: numbered(which), isNamed: true, isOne: true, ...(said && { to: { said } }) } as const)
            : ({ kind: 'list' } as const)
        return (await executor.execute(order, asked(call))).text
      },
    },
  ]
}

const CANCEL = /^cancel\s+(?<which>w?\d{1,9})$/i
const MOVE = /^move\s+(?<which>\d{1,9})\s+(?:to\s+)?(?<when>\S.*)$/i

/** `3` or `w3` */
function numbered(given: string): Which {
  const number = Number(given.replace(/^w/i, ''))
  return /^w/i.test(given) ? { by: 'numbers', numbers: [], watches: [number] } : { by: 'numbers', numbers: [number], watches: [] }
}
