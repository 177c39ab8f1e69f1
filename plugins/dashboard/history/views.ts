/** Messages, turns and places in the JSON API. */
import { z } from 'zod'

export const place = z
  .object({
    conversation: z.string().describe('Id of the conversation.'),
    platform: z.string(),
    name: z.string().describe('Name of the channel.'),
    thread: z.string().optional(),
    visibility: z.enum(['public', 'private', 'direct']),
    outsiders: z.boolean().optional().describe('People from outside the workspace read it too.'),
  })
  .describe('Place of a message.')
export type Place = z.infer<typeof place>

export const message = z.object({
  id: z.string(),
  thread: z.string().optional(),
  author: z.object({ id: z.string(), name: z.string(), bot: z.boolean().optional() }),
  own: z.boolean().describe('Whether the bot wrote it.'),
  text: z.string(),
  at: z.iso.datetime(),
  replyTo: z.string().optional(),
  reactions: z.array(z.object({ emoji: z.string(), by: z.array(z.string()) })).describe('`by`: ids of people.'),
  edited: z.boolean().optional(),
  deleted: z
    .boolean()
    .optional()
    .describe('The message is deleted, or the bot must not remember it. It has no text and no author.'),
})
export type MessageView = z.infer<typeof message>

const plugin = z.string().describe('Name of the plugin.')

export const trace = z
  .object({
    turn: z.string(),
    conversation: z.string(),
    at: z.iso.datetime(),
    messages: z.array(z.string()).readonly().describe('Ids of the messages of the turn.'),
    trigger: z.string().describe('Id of the message that an answer replies to.'),
    answers: z.array(z.string()).readonly().optional().describe('Ids of the messages that the reply answers.'),
    addressed: z.enum(['mention', 'reply', 'name', 'direct', 'command']).optional(),
    surroundings: z
      .object({ earlier: z.number(), quoted: z.number(), requests: z.number(), problem: z.string().optional() })
      .optional()
      .describe('What was read around the conversation for the turn: numbers of messages and of requests to the platform.'),
    tools: z.array(z.string()).readonly().optional().describe('Names of the tools that a model called.'),
    score: z
      .object({
        points: z.number().describe('0…100.'),
        parts: z.array(z.object({ plugin, points: z.number(), why: z.string() })).readonly(),
      })
      .optional(),
    decision: z
      .object({
        kind: z.enum(['silent', 'react', 'ack', 'full']),
        why: z.string(),
        plugin: plugin.optional(),
        delayMs: z.number().optional(),
        confidence: z.number().optional().describe('0…1.'),
      })
      .optional(),
    notes: z
      .array(z.object({ plugin, text: z.string() }))
      .readonly()
      .optional()
      .describe('What plugins noted.'),
    sections: z.array(z.object({ title: z.string(), plugin, tokens: z.number(), kept: z.boolean() })).readonly(),
    models: z
      .array(
        z.object({
          role: z.string(),
          model: z.string(),
          inputTokens: z.number(),
          outputTokens: z.number(),
          ms: z.number(),
          attempts: z.number(),
          cost: z.number().optional().describe('Cost in the currency of the prices in bot.config.ts.'),
          error: z.string().optional(),
        }),
      )
      .readonly(),
    reply: z.object({ kind: z.enum(['text', 'reaction']), plugin, length: z.number() }).optional(),
    sent: z.array(z.string()).readonly().describe('Ids of the sent messages.'),
    outcome: z.enum(['silent', 'delayed', 'replied', 'cancelled', 'failed']),
    why: z.string().optional().describe('Why a decided answer was not sent.'),
    by: z.string().optional().describe('Plugin that gave the reason; absent: the kernel.'),
    problems: z.array(z.object({ plugin, stage: z.string(), message: z.string() })).readonly(),
    ms: z.record(z.string(), z.number()).describe('Milliseconds spent in each stage.'),
    timeline: z
      .array(
        z.object({
          what: z.enum(['stage', 'model', 'tool']),
          name: z.string().describe('Name of the stage or tool, or role of the model.'),
          afterMs: z.number().describe('Milliseconds from the beginning of the turn.'),
          ms: z.number().describe('How long it took.'),
        }),
      )
      .readonly()
      .optional()
      .describe('In the order in which the parts ended.'),
  })
  .describe('The trace of a turn.')
export type TraceView = z.infer<typeof trace>

export const turn = z.object({
  place,
  trace,
  messages: z.array(message).describe('Messages of the turn.'),
  said: z.array(message).describe('Sent messages.'),
})
export type TurnView = z.infer<typeof turn>

export const drop = z
  .object({
    id: z.string(),
    platform: z.string(),
    place: place.optional().describe('Absent for a direct conversation, because it would identify the person.'),
    plugin: plugin.optional().describe('Plugin of the filter; absent if `listen` in bot.config.ts excludes the channel.'),
    why: z.string(),
    count: z.number().describe('Number within a minute.'),
    at: z.iso.datetime().describe('Time of the last message.'),
  })
  .describe('Messages that were dropped on arrival, for one reason in one place. Without text and author.')
export type DropView = z.infer<typeof drop>

export const logLine = z.object({
  number: z.number().describe('Counts the lines of the process.'),
  at: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  plugin: z.string().optional(),
  message: z.string(),
  fields: z.string().optional().describe('Ids and counts as JSON.'),
})
export type LogLineView = z.infer<typeof logLine>

/** Live events: one JSON value in each server-sent event. */
export type FeedEvent =
  | { readonly type: 'message'; readonly place: Place; readonly message: MessageView }
  | { readonly type: 'turn'; readonly turn: TurnView }
  /** A new count for this place and reason: `id` identifies it. */
  | { readonly type: 'dropped'; readonly drops: readonly DropView[] }
  /** For owners only. */
  | { readonly type: 'log'; readonly lines: readonly LogLineView[] }
  | { readonly type: 'typing'; readonly conversation: string; readonly on: boolean }
  | {
      readonly type: 'reactions'
      readonly conversation: string
      readonly message: string
      readonly reactions: MessageView['reactions']
    }
  | { readonly type: 'edited'; readonly conversation: string; readonly message: string; readonly text: string }
  | { readonly type: 'removed'; readonly conversation: string; readonly message: string }

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const section = z.object({
  title: z.string().optional(),
  text: z.string().optional(),
  rows: z.array(z.record(z.string(), cell)).optional().describe('A table. Its columns are the keys of the first row.'),
})
export type PanelSection = z.infer<typeof section>
