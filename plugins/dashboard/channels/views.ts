/** Channels in the JSON API. */
import { z } from 'zod'
import { place } from '../history/views.ts'

export const conversation = z.string().min(1).max(2_000).describe('Id of a channel.')
export const notFound = { message: 'There is no such channel.' }

export const channelView = z.object({
  place,
  heard: z.iso.datetime().optional().describe('Time of the last message.'),
  replied: z.iso.datetime().optional().describe('Time of the bot’s last message.'),
  waiting: z.number().describe('Number of messages that are not judged yet.'),
  answers: z.number().describe('Number of scheduled answers, including those in threads.'),
  turns: z.number().describe('Number of turns in the last 24 hours, including those in threads.'),
  replies: z.number(),
})
export type ChannelView = z.infer<typeof channelView>

const memory = z.object({
  recent: z.string().describe('Current summary. Empty: none.'),
  history: z.string().describe('Earlier summary.'),
  at: z.iso.datetime().optional().describe('Time of the last update of `recent`.'),
})
export type MemoryView = z.infer<typeof memory>

const share = z.object({ hits: z.number(), of: z.number() }).describe('A count of a count.')

const judge = z.object({
  calls: z.number().describe('Number of verdicts in the last 60 days.'),
  known: z.number().describe('Number of those whose outcome is known.'),
  truePositives: share.describe('The verdict was yes, of the turns in which an answer was welcome or would have been.'),
  falsePositives: share.describe('The verdict was yes, of the turns in which it was not.'),
  balancedAccuracy: z.number().optional().describe('0…1. Absent: one of the two rates is unknown.'),
  missed: z
    .object({ followUp: share, unasked: share })
    .describe('The bot said nothing, of the turns in which an answer was welcome or would have been.'),
  calibration: z
    .array(z.object({ from: z.number(), to: z.number(), turns: z.number(), predicted: z.number(), seen: z.number() }))
    .readonly()
    .describe('Predicted probability and seen share, 0…1, in five bins.'),
  tokens: z.number(),
  cost: z.number().optional().describe('In the currency of the prices in bot.config.ts.'),
  coefficient: z
    .object({ value: z.number(), low: z.number(), high: z.number() })
    .optional()
    .describe('Log odds that a verdict counts, with its 95 % interval. Absent: no outcome was counted yet.'),
  pausedUntil: z.iso.datetime().optional().describe('When the paused judge is asked again. Absent: it is not paused.'),
})
export type JudgeView = z.infer<typeof judge>

export const channelDetail = z.object({
  place,
  status: z.array(z.string()).describe('State of the bot in the channel, one line each, as in `/kiki status`.'),
  orders: z
    .array(z.object({ name: z.string(), applies: z.boolean().describe('Whether it would change something now.') }))
    .describe('The available commands, of those that the page uses.'),
  mood: z.string(),
  topics: z.array(z.string()),
  memories: z
    .object({
      workspace: memory,
      channel: memory,
      threads: z.array(memory.extend({ conversation: z.string(), opening: z.string().describe('First message.') })),
      setAside: z.number().describe('Number of messages in no memory, because the model refused to summarise them.'),
    })
    .optional()
    .describe('Absent without a plugin for memories.'),
  members: z
    .array(z.object({ id: z.string(), name: z.string(), messages: z.number() }))
    .describe('Authors among the last 500 messages, most active first.'),
  judge: judge.optional().describe('How right the judge was. Absent: it has given no verdict here.'),
})
export type ChannelDetail = z.infer<typeof channelDetail>

export const upcomingView = z.object({
  conversation: z.string(),
  opening: z.string().optional().describe('For a thread: its first message.'),
  at: z.iso.datetime().describe('Time on the clock of the bot. New messages can postpone a judgement.'),
  messages: z.number().describe('Number of messages that are not judged yet, or that the answer replies to.'),
  answer: z
    .object({ kind: z.enum(['react', 'ack', 'full']), why: z.string(), plugin: z.string().optional() })
    .optional()
    .describe('Absent before a decision.'),
})
export type UpcomingView = z.infer<typeof upcomingView>

export const optionView = z.object({
  plugin: z.string(),
  option: z.string(),
  value: z.unknown().optional().describe('The value as in bot.config.ts. Absent if it is not set or redacted.'),
  redacted: z.boolean().describe('The value may be a secret and is not returned.'),
  from: z.string().describe('Source of the value.'),
  setAt: z.iso.datetime().optional().describe('When it was set in the chat or here.'),
  scoped: z.boolean().describe('Whether it can be set for a channel.'),
  takes: z.enum(['choice', 'number', 'boolean', 'text', 'texts', 'other']),
  choices: z.array(z.string()).readonly().optional(),
  does: z.string().optional(),
})
export type OptionView = z.infer<typeof optionView>
