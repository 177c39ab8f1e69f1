import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    lull: duration.default('10m').describe('A conversation is processed when it has been quiet for this long,'),
    maxMessages: count.default(100).describe('or when more than this many messages are unprocessed,'),
    minMessages: count.default(10).describe('and only when at least this many messages are unprocessed.'),
    instructions: z
      .string()
      .default('')
      .describe('What else to keep or to leave out, added to the prompt: `Keep the number of each ticket.`'),
    schema: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Fields that each fact gets besides, with a description for the model: `{ ticket: "The number of the ticket." }`',
      ),
    profiles: z.boolean().default(true).describe('Write notes on people, for the plugin profiles.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
