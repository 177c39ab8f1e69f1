import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    familiarity: z
      .strictObject({
        acquaintance: count.default(6).describe('Number of messages from which a person is an acquaintance.'),
        regular: count.default(31).describe('Number of messages from which a person is a regular.'),
        close: count.default(101).describe('Number of messages from which a person is close.'),
      })
      .refine(({ acquaintance, regular, close }) => acquaintance < regular && regular < close, {
        message: 'acquaintance, regular and close must grow, like 6, 31, 101',
      })
      .prefault({})
      .describe('Numbers of messages that decide how familiar a person is.'),
    cards: z
      .strictObject({
        perRun: count.default(200).describe('Maximum number of cards that a run looks at.'),
        modelCalls: z.int().nonnegative().default(10).describe('Maximum number of model calls of a run. 0: rules alone.'),
      })
      .prefault({})
      .describe('Budget of the nightly run that folds facts into cards.'),
    writeEvery: duration.default('15m').describe('Interval at which messages are counted into the profiles.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
