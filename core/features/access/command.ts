/** `/kiki access`: what the person who asks may do there. */
import type { ChatCommand, Tool } from '../../api/index.ts'
import { texts } from '../../base/text/core-texts.ts'
import type { BotAccess } from './access.ts'

/** @param tools all tools of the bot */
export function accessCommand(access: BotAccess, tools: () => readonly Tool[]): ChatCommand {
  return {
    name: 'access',
    names: texts.all('command.access.name'),
    does: texts.all('command.access'),
    permission: 'everyone',
    access: 'always',
    async run({ conversation, person, locale }) {
      const say = texts(locale)
      const answer = (rule: string | undefined) => (rule === undefined ? say('access.yes') : say('access.no', { rule }))
      const { callsPerHour, tokensPerHour } = access.callerIn(conversation, person) ?? {}
      const permitted = (await access.permitted(tools())).map(({ name }) => name)
      return [
        say('access.call', { answer: answer(await access.refuses(conversation, person)) }),
        say('access.orders', { answer: answer(await access.refusesOrders(conversation, person)) }),
        ...(tools().length === 0 ? [] : [say('access.tools', { tools: permitted.join(', ') || say('access.none') })]),
        ...(callsPerHour === undefined ? [] : [say('access.callsPerHour', { count: callsPerHour })]),
        ...(tokensPerHour === undefined ? [] : [say('access.tokensPerHour', { count: tokensPerHour })]),
      ].join('\n')
    },
  }
}
