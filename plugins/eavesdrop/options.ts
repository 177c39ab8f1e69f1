import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

const ORDER = 'expected the smaller number first'

export const options = z
  .strictObject({
    channels: z
      .array(z.string().min(1))
      .default([])
      .describe('Where it listens: names or ids of channels. Empty: nowhere.')
      .meta({ public: true }),
    minMessages: count.default(3).describe('A talk of fewer messages is not judged.'),
    bufferSize: count.default(20).describe('How many of the last messages it looks at.'),
    signs: z
      .boolean()
      .default(true)
      .describe(
        'Asks the model at once where there is a sign of trouble, in Japanese or English. false: whenever people have spoken.',
      ),
    every: count.default(10).describe('Where there is no sign it asks once in so many messages, only for the state of the talk.'),
    minInterval: duration.prefault('5m').describe('How long it keeps out after stepping in.'),
    maxPerHour: count.default(3).describe('How often it steps in within an hour at most.'),
    wait: z
      .strictObject({
        messages: z
          .tuple([z.int().min(0), z.int().min(0)])
          .refine(([least, most]) => least <= most, ORDER)
          .prefault([2, 3])
          .describe('So many further messages, drawn between the two,'),
        time: z
          .tuple([duration, duration])
          .refine(([least, most]) => least <= most, ORDER)
          .prefault(['60s', '120s'])
          .describe('or so long, whichever comes first.'),
      })
      .prefault({})
      .describe('How long it watches a conflict before it steps in.'),
    cache: duration.prefault('5m').describe('How long the judgement of a talk holds while nothing is said in it.'),
    remember: duration.prefault('1h').describe('How long it remembers where it stepped in.'),
    recent: duration.prefault('30m').describe('The model is told how often it stepped in within this time.'),
    excerpt: z
      .strictObject({
        messages: count.default(5).describe('The last messages,'),
        length: count.default(200).describe('and of each the first characters.'),
      })
      .prefault({})
      .describe('What it remembers of a talk that it stepped into.'),
    tokens: z
      .strictObject({
        state: count.default(20).describe('To name the state of a talk.'),
        same: count.default(20).describe('To tell whether a talk is one that it stepped into.'),
        verdict: count.default(50).describe('To decide whether to step in.'),
        answer: count.default(500).describe('To say something.'),
      })
      .prefault({})
      .describe('Output tokens at most.')
      .meta({ public: true }),
    effect: duration.prefault('10m').describe('How long after an intervention its effect is counted.'),
    keep: duration.prefault('30d').describe('How long the counts are kept.'),
  })
  .refine(({ minMessages, bufferSize }) => minMessages <= bufferSize, {
    path: ['bufferSize'],
    error: 'expected at least minMessages',
  })
  .prefault({})

export type Options = z.output<typeof options>
