/** What the page shows of channels, as the JSON API gives it. */
import { z } from 'zod'
import { place } from '../history/views.ts'

export const conversation = z.string().min(1).max(2_000).describe('The id of a channel.')
export const notFound = { message: 'There is no such channel.' }

export const channelView = z.object({
  place,
  heard: z.iso.datetime().optional().describe('When something was last said.'),
  replied: z.iso.datetime().optional().describe('When the bot last said something.'),
  waiting: z.number().describe('Messages that are not judged yet.'),
  answers: z.number().describe('Answers that were decided on and wait, those of its threads too.'),
  turns: z.number().describe('Of the last day, those of its threads too.'),
  replies: z.number(),
})
export type ChannelView = z.infer<typeof channelView>

const memory = z.object({
  recent: z.string().describe('What is going on. Empty: nothing is.'),
  history: z.string().describe('What has happened before.'),
  at: z.iso.datetime().optional().describe('When `recent` was last written.'),
})
export type MemoryView = z.infer<typeof memory>

export const channelDetail = z.object({
  place,
  status: z.array(z.string()).describe('How the bot stands there, a line each, as `/kiki status` tells it.'),
  orders: z.array(z.string()).describe('Names of the commands that it knows, among those that the page gives.'),
  mood: z.string(),
  topics: z.array(z.string()),
  memories: z
    .object({
      workspace: memory,
      channel: memory,
      threads: z.array(memory.extend({ conversation: z.string(), opening: z.string().describe('How it begins.') })),
      setAside: z.number().describe('Messages in no memory, for the model would not sum them up.'),
    })
    .optional()
    .describe('Absent where no plugin keeps them.'),
  members: z
    .array(z.object({ id: z.string(), name: z.string(), messages: z.number() }))
    .describe('Who has spoken among the last 500 messages, the most busy first.'),
})
export type ChannelDetail = z.infer<typeof channelDetail>

export const upcomingView = z.object({
  conversation: z.string(),
  opening: z.string().optional().describe('In a thread: how it begins.'),
  at: z.iso.datetime().describe('By the clock of the bot. While people talk on, a judgement moves.'),
  messages: z.number().describe('Messages that are not judged yet, or that the answer answers.'),
  answer: z
    .object({ kind: z.enum(['react', 'ack', 'full']), why: z.string(), plugin: z.string().optional() })
    .optional()
    .describe('Absent where it is still to be judged whether there will be one.'),
})
export type UpcomingView = z.infer<typeof upcomingView>

export const optionView = z.object({
  plugin: z.string(),
  option: z.string(),
  value: z
    .unknown()
    .optional()
    .describe('As one writes it in bot.config.ts. Absent where nothing is said, and where it is redacted.'),
  redacted: z.boolean().describe('It could be a secret, and is not told.'),
  from: z.string().describe('Where the value comes from.'),
  scoped: z.boolean().describe('Whether it can be set for a channel.'),
  takes: z.enum(['choice', 'number', 'boolean', 'text', 'texts', 'other']),
  choices: z.array(z.string()).readonly().optional(),
  does: z.string().optional(),
})
export type OptionView = z.infer<typeof optionView>
