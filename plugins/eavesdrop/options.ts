import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

const ORDER = 'expected the smaller number first'

export const options = z
  .strictObject({
    channels: z
      .array(z.string().min(1))
      .default([])
      .describe('Names or ids of the channels in which the plugin is active. Empty: none.')
      .meta({ public: true }),
    minMessages: count.default(3).describe('Minimum number of messages in a conversation before it is judged.'),
    bufferSize: count.default(20).describe('Number of most recent messages that are examined.'),
    signs: z
      .boolean()
      .default(true)
      .describe(
        'Ask the model immediately only where there is a sign of trouble, in English, Japanese or Korean. `false`: ask whenever people have written.',
      ),
    every: count
      .default(10)
      .describe(
        'Without a sign of trouble, ask the model after this many messages. Each answer that all is well doubles the number, up to four times as many.',
      ),
    minInterval: duration.default('5m').describe('Minimum time between two interventions in a conversation.'),
    maxPerHour: count.default(3).describe('Maximum number of interventions per hour in a conversation.'),
    wait: z
      .strictObject({
        messages: z
          .tuple([z.int().min(0), z.int().min(0)])
          .refine(([least, most]) => least <= most, ORDER)
          .prefault([2, 3])
          .describe('Number of further messages, drawn at random between these two.'),
        time: z
          .tuple([duration, duration])
          .refine(([least, most]) => least <= most, ORDER)
          .prefault(['60s', '120s'])
          .describe('Time, drawn at random between these two.'),
      })
      .prefault({})
      .describe('How long a conflict is observed before the bot intervenes: messages or time, whichever is reached first.'),
  })
  .refine(({ minMessages, bufferSize }) => minMessages <= bufferSize, {
    path: ['bufferSize'],
    error: 'expected at least minMessages',
  })
  .prefault({})

export type Options = z.output<typeof options>
