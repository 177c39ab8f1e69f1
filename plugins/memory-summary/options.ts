import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    everyMessages: count.default(20).describe('A memory is updated after this many new messages,'),
    everyMinutes: z
      .number()
      .positive()
      .default(15)
      .describe('or when the oldest new message is this many minutes old, whichever comes first.'),
    foldAfter: duration.default('1d').describe('Age at which recent events are merged into the history.'),
    workspaceEvery: duration.default('1h').describe('Minimum time between two updates of a workspace’s memory.'),
    recentTokens: count
      .default(300)
      .describe('Maximum number of tokens of recent events, for each workspace, channel and thread.'),
    historyTokens: count.default(500).describe('Maximum number of tokens of history, for each workspace, channel and thread.'),
    activeChannelDays: z
      .number()
      .positive()
      .default(7)
      .describe('Channels without messages for this many days are left out of prompts.'),
    threadMemoryDays: z
      .number()
      .positive()
      .default(7)
      .describe('Threads without messages for this many days are left out of prompts.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
