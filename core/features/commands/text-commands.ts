/** Chat commands in messages: `!roll d6`. Each is a call of its own and gets its own answer. */
import type { Address, Decision, IncomingMessage, Message, Reply, Turn } from '../../api/index.ts'
import type { NamedCommand } from './commands.ts'

export interface TextCommandsOptions {
  commands(): readonly NamedCommand[]
  /** Runs the command and returns its answer. Never rejects. */
  run(turn: Turn, command: NamedCommand, text: string): Promise<string>
}

/** The stages of the text commands. */
export function textCommands({ commands, run }: TextCommandsOptions) {
  const callIn = ({ text }: Pick<Message, 'text'>) => findCall(text, commands())

  return {
    address: (message: IncomingMessage): Address | undefined => (callIn(message) ? 'command' : undefined),

    decide: ({ message }: Turn): Decision | undefined => {
      const call = callIn(message)
      return call && { kind: 'full', why: `the command ${call.command.prefix}${call.command.name}` }
    },

    separate: (_turn: Turn, added: Message): string | undefined => (callIn(added) ? 'a command' : undefined),

    respond: async (turn: Turn): Promise<Reply | undefined> => {
      const call = callIn(turn.message)
      return call && { kind: 'text', text: await run(turn, call.command, call.text), replyTo: turn.message.id }
    },
  }
}

function findCall(text: string, commands: readonly NamedCommand[]) {
  const [, word = '', rest = ''] = /^\s*(\S+)[^\S\n]*([^\n]*)/.exec(text) ?? []
  const command = commands.find(({ name, prefix }) => prefix !== undefined && word.toLowerCase() === `${prefix}${name}`)
  return command && { command, text: rest.trim() }
}
