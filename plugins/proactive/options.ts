import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    silence: duration
      .prefault('1h')
      .describe('When nothing was said in a channel for so long, it wakes up with what is said next.'),
    first: count.default(5).describe('So many messages after a silence are the first ones. Later the talk has its own topic.'),
    delay: duration.prefault('30s').describe('It leaves the word to others for so long; whoever takes it calls it off.'),
    cooldown: duration.prefault('2m').describe('So long after it spoke here it brings up nothing.'),
    minAge: duration.prefault('1d').describe('What was said more recently is still in everybody’s mind.'),
    minEvidence: z
      .number()
      .min(0)
      .max(1)
      .default(0.05)
      .describe('How much of what is being said the fact must cover, besides being about the same.'),
    interval: duration.prefault('4h').describe('It brings up one thing within this time in a channel,'),
    maxInterval: duration
      .prefault('7d')
      .describe('and one within twice the time each time nobody reacted, up to this, until somebody does.'),
    perDay: z
      .strictObject({
        channel: count.default(2).describe('in one channel with its threads,'),
        bot: count.default(10).describe('and everywhere together.'),
      })
      .prefault({})
      .describe('How much it brings up within 24 hours at most:'),
    answer: z
      .strictObject({
        within: duration.prefault('5m').describe('what is said so soon after it,'),
        messages: count.default(3).describe('in the first so many messages.'),
      })
      .prefault({})
      .describe('What counts as an answer to it, besides replies and emoji:'),
    maxTokens: count.default(300).describe('Output tokens at most.'),
  })
  .refine(({ interval, maxInterval }) => interval <= maxInterval, {
    path: ['maxInterval'],
    error: 'expected at least "interval"',
  })
  .prefault({})

export type Options = z.output<typeof options>
