/** Connects the bot to a terminal or a pipe. */
import { Readable, Writable } from 'node:stream'
import { ChatCommands, definePlatform } from 'kikimimi/platform'
import { z } from 'zod'
import { person } from './lines.ts'
import { createPipe } from './pipe.ts'
import { createPlatform, placeOf } from './platform.ts'
import { type CommandNames, createTerminal } from './terminal.ts'

const readable = z
  .custom<Readable>(value => value instanceof Readable, 'expected a readable stream')
  .meta({ title: 'readable stream' })
const writable = z
  .custom<Writable>(value => value instanceof Writable, 'expected a writable stream')
  .meta({ title: 'writable stream' })

const options = z
  .strictObject({
    user: z
      .string()
      .min(1)
      .default(() => process.env.USER || 'friend')
      .describe('Author of a line without a name. Default: the environment’s `USER`, or `friend`.')
      .meta({ public: true }),
    channel: z.string().min(1).default('terminal').describe('Name of the channel.').meta({ public: true }),
    color: z
      .boolean()
      .optional()
      .describe('Coloured output. Default: yes in a terminal that supports colour, unless NO_COLOR is set.'),
    format: z
      .enum(['auto', 'text', 'json'])
      .default('auto')
      .describe('Format of lines without a terminal. `auto`: the format of the first line.'),
    input: readable.optional().describe('Stream that is read. Default: standard input.'),
    output: writable.optional().describe('Stream that is written. Default: standard output.'),
    errors: writable.optional().describe('Stream for reports of unreadable lines. Default: standard error.'),
  })
  .prefault({})

export default definePlatform({
  name: 'terminal',
  options,
  needs: [ChatCommands],
  setup: (ctx, { user, channel, color, format, input = process.stdin, output = process.stdout, errors = process.stderr }) => {
    const { name } = ctx.bot
    const chat = ctx.use(ChatCommands)
    const may = () => true
    const commands: CommandNames = {
      names: () => chat.all.flatMap(({ name, names = {} }) => [name, ...Object.values(names)]),
      suggest: (text, where) =>
        chat.suggest({ conversation: placeOf(where), person: person(user), text, moderator: may, admin: may }),
    }
    // In a terminal Ctrl-C is a character and no signal. It ends the bot as it would without this platform.
    const interrupt = input === process.stdin ? () => process.kill(process.pid, 'SIGINT') : undefined
    const screen =
      isTerminal(input) && isTerminal(output) && format === 'auto'
        ? createTerminal({
            ...{ input, output, user, channel, name, color, commands, interrupt },
            errors: isTerminal(errors) ? errors : undefined,
          })
        : createPipe({ input, output, errors, format, user, name })
    const platform = createPlatform(ctx, { screen, output, channel })
    return {
      platform,
      after: (turn, trace) => {
        if (turn.conversation.platform === platform.name) screen.turn?.(turn, trace)
      },
    }
  },
})

function isTerminal(stream: Readable | Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}
