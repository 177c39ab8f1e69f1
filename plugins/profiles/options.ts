import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    familiarity: z
      .strictObject({
        acquaintance: count.default(6).describe('An acquaintance.'),
        regular: count.default(31).describe('Somebody it talks with regularly.'),
        close: count.default(101).describe('A close one.'),
      })
      .refine(({ acquaintance, regular, close }) => acquaintance < regular && regular < close, {
        message: 'acquaintance, regular and close must grow, like 6, 31, 101',
      })
      .prefault({})
      .describe('From how many messages on somebody is more than a stranger.'),
    silence: duration.prefault('30m').describe('Who says nothing for so long has ended their conversation.'),
    topics: count.default(5).describe('Words of the last conversation at most.'),
    writeEvery: duration.prefault('15m').describe('How often what was heard is counted at least.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
