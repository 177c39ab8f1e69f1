/** Talk to the bot in a terminal or through a pipe. */
import { Readable, Writable } from 'node:stream'
import { definePlatform } from 'kikimimi'
import { z } from 'zod'
import { createPipe } from './pipe.ts'
import { createPlatform } from './platform.ts'
import { createTerminal } from './terminal.ts'

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
      .default(() => process.env.USER || 'you')
      .describe('Who says a line without a name.')
      .meta({ public: true }),
    channel: z.string().min(1).default('terminal').describe('The channel where people talk.').meta({ public: true }),
    color: z.boolean().optional().describe('Absent: in a terminal that can, unless NO_COLOR is set.'),
    format: z.enum(['auto', 'text', 'json']).default('auto').describe('Without a terminal: `auto` goes by the first line.'),
    input: readable.optional().describe('Absent: standard input.'),
    output: writable.optional().describe('Absent: standard output.'),
    errors: writable.optional().describe('Where lines are named that make no sense. Absent: standard error.'),
  })
  .prefault({})

export default definePlatform({
  name: 'terminal',
  options,
  setup: (ctx, { user, channel, color, format, input = process.stdin, output = process.stdout, errors = process.stderr }) => {
    const { name } = ctx.persona
    const screen =
      isTerminal(input) && isTerminal(output) && format === 'auto'
        ? createTerminal({ input, output, user, channel, name, color })
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
