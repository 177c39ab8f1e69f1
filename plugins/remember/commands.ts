/** `/kiki remember …` and others: the same orders as in messages, without a message. */
import { randomUUID } from 'node:crypto'
import type { ChatCommand, CommandCall, Job, Message, PluginContext } from 'kikimimi'
import type { Finishing } from './finish.ts'
import type { Obey, Told } from './obey.ts'
import { readOrder } from './orders.ts'
import { texts } from './texts.ts'

export interface CommandsOptions {
  readonly ctx: Pick<PluginContext, 'bot' | 'history'>
  readonly obey: Obey
  readonly finishing: Job<Finishing>
}

/** Messages among which the one of a menu is found. */
const RECENT = 500

export function commands({ ctx, obey, finishing }: CommandsOptions): readonly ChatCommand[] {
  /** Reads "that my flight is on Friday" like "remember that my flight is on Friday". */
  const toRemember = (text: string) => {
    const order = readOrder(`remember ${text}`, [ctx.bot.name])
    return order?.kind === 'remember' ? order : undefined
  }

  async function carryOut({ conversation, person, message: about, text, locale, at }: CommandCall, told: Told): Promise<string> {
    const history = about === undefined ? [] : await ctx.history(conversation, RECENT)
    const me = { id: '', name: ctx.bot.personaIn(conversation).name }
    const id = `command-${randomUUID()}`
    const message: Message = {
      id,
      author: person,
      text,
      at,
      mentions: [],
      attachments: [],
      own: false,
      ...(about !== undefined && { replyTo: about }),
    }
    const obeyed = await obey({ conversation, me, history }, message, told, locale)
    if (obeyed.finish?.kind === 'forget' || obeyed.finish?.kind === 'silence')
      await finishing.schedule({ finish: obeyed.finish, sent: [] })
    return obeyed.text
  }

  const plain = (name: string, kind: 'know' | 'forget-me' | 'opt-out' | 'opt-in'): ChatCommand => ({
    name,
    names: texts.all(`command.${kind}.name`),
    does: texts.all(`command.${kind}`),
    permission: 'everyone',
    // Everybody may know and end what the bot keeps about them.
    access: 'always',
    run: call => carryOut(call, { kind }),
  })

  return [
    {
      name: 'remember',
      names: texts.all('command.remember.name'),
      does: texts.all('command.remember'),
      usage: 'WHAT',
      permission: 'everyone',
      access: 'order',
      // "/kiki remember when we went there?" is a message to the bot.
      takes: text => toRemember(text) !== undefined,
      run: call => carryOut(call, toRemember(call.text) ?? { kind: 'remember' }),
    },
    {
      name: 'remember-this',
      does: texts.all('command.remember-this'),
      permission: 'everyone',
      access: 'order',
      on: { at: 'message', label: texts.all('command.remember-this.label'), emoji: '📌' },
      // As "remember this" in a reply to the message.
      run: call => (call.message === undefined ? texts(call.locale)('whatToRemember') : carryOut(call, { kind: 'remember' })),
    },
    plain('what-do-you-know-about-me', 'know'),
    plain('forget-me', 'forget-me'),
    plain('opt-out', 'opt-out'),
    plain('opt-in', 'opt-in'),
  ]
}
