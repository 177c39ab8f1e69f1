import { duration } from 'kikimimi'
import { z } from 'zod'

const count = z.int().positive()

export const options = z
  .strictObject({
    everyMessages: count.default(20).describe('A memory is brought up to date after so many messages,'),
    everyMinutes: z.number().positive().default(15).describe('or when the first of them is so many minutes old.'),
    foldAfter: duration.prefault('1d').describe('Recent events become history when they go back so long.'),
    workspaceEvery: duration.prefault('1h').describe('How often the memory of a workspace is brought up to date at most.'),
    recentTokens: count.default(300).describe('Recent events of a workspace, channel or thread, at most.'),
    historyTokens: count.default(500).describe('History of a workspace, channel or thread, at most.'),
    activeChannelDays: z.number().positive().default(7).describe('A channel in which nobody spoke for so long is not told of.'),
    threadMemoryDays: z.number().positive().default(7).describe('A thread in which nobody spoke for so long is not told of.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
