import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    silence: duration.default('1h').describe('A channel wakes up when a message arrives after it was silent for this long.'),
    delay: duration.default('30s').describe('Time in which other people can write first. A message cancels the remark.'),
    minAge: duration.default('1d').describe('Minimum age of a fact before the bot brings it up.'),
    interval: duration
      .default('4h')
      .describe('Minimum time between two facts in a channel. It doubles, up to 7 days, each time people ignore one.'),
    perDay: z
      .strictObject({
        channel: count.default(2).describe('In one channel, its threads included.'),
        bot: count.default(10).describe('In all channels together.'),
      })
      .prefault({})
      .describe('Maximum number of facts brought up within 24 hours.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
