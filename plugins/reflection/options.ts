import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    lull: duration.prefault('10m').describe('A place is reflected on when nobody has spoken there for so long,'),
    maxMessages: count.default(100).describe('or when more messages than that are unread;'),
    minMessages: count.default(10).describe('and not before there are so many.'),
    profiles: z.boolean().default(true).describe('Whether it notes what it has understood of people, for the plugin profiles.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
