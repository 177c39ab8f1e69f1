/** Chat commands in messages: `!roll d6`. Each is a call of its own and gets its own answer. */
import type { Address, Decision, IncomingMessage, Message, Reply, Turn } from '../../api/index.ts'
import type { NamedCommand, RunningCommands } from './commands.ts'

/** The stages of the text commands. */
export function textCommands(commands: Pick<RunningCommands, 'inMessages' | 'answer'>) {
  const callIn = ({ text }: Pick<Message, 'text'>) => findCall(text, commands.inMessages)

  const answerTo = async (turn: Turn, { command, text }: NonNullable<ReturnType<typeof findCall>>): Promise<Reply> => ({
    kind: 'text',
    text: await commands.answer(turn, command, text),
    replyTo: turn.message.id,
  })

  return {
    address: (message: IncomingMessage): Address | undefined => (callIn(message) ? 'command' : undefined),

    decide: ({ message }: Turn): Decision | undefined => {
      const call = callIn(message)
      return call && { kind: 'full', why: `the command ${call.command.prefix}${call.command.name}` }
    },

    separate: (_turn: Turn, added: Message): string | undefined => (callIn(added) ? 'a command' : undefined),

    respond: (turn: Turn): Promise<Reply> | undefined => {
      const call = callIn(turn.message)
      return call && answerTo(turn, call)
    },
  }
}

function findCall(text: string, commands: readonly NamedCommand[]) {
  if (commands.length === 0) return undefined
  const [, word = '', rest = ''] = /^\s*(\S+)[^\S\n]*([^\n]*)/.exec(text) ?? []
  const called = word.toLowerCase()
  const command = commands.find(({ name, prefix }) => called === `${prefix}${name}`)
  return command && { command, text: rest.trim() }
}
