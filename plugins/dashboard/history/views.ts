/** Messages, turns and places as the JSON API gives them. */
import { z } from 'zod'

export const place = z
  .object({
    conversation: z.string().describe('The id of the conversation.'),
    platform: z.string(),
    name: z.string().describe('What people call the channel.'),
    thread: z.string().optional(),
    visibility: z.enum(['public', 'private', 'direct']),
  })
  .describe('Where something was said.')
export type Place = z.infer<typeof place>

export const message = z.object({
  id: z.string(),
  thread: z.string().optional(),
  author: z.object({ id: z.string(), name: z.string(), bot: z.boolean().optional() }),
  own: z.boolean().describe('Said by the bot itself.'),
  text: z.string(),
  at: z.iso.datetime(),
  replyTo: z.string().optional(),
  reactions: z.array(z.object({ emoji: z.string(), by: z.array(z.string()) })).describe('`by`: ids of people.'),
  edited: z.boolean().optional(),
  deleted: z.boolean().optional().describe('Its text is gone.'),
})
export type MessageView = z.infer<typeof message>

const plugin = z.string().describe('Which plugin.')

export const trace = z
  .object({
    turn: z.string(),
    conversation: z.string(),
    at: z.iso.datetime(),
    messages: z.array(z.string()).readonly().describe('Ids of what was looked at.'),
    trigger: z.string().describe('The id of what an answer would answer.'),
    addressed: z.enum(['mention', 'reply', 'name', 'direct', 'command']).optional(),
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
          cost: z.number().optional().describe('In the currency of the prices in bot.config.ts.'),
          error: z.string().optional(),
        }),
      )
      .readonly(),
    reply: z.object({ kind: z.enum(['text', 'reaction']), plugin, length: z.number() }).optional(),
    sent: z.array(z.string()).readonly().describe('Ids of what was sent.'),
    outcome: z.enum(['silent', 'delayed', 'replied', 'cancelled', 'failed']),
    why: z.string().optional().describe('Why a turn that wanted to speak did not.'),
    by: z.string().optional().describe('Which plugin says so; absent when the kernel does.'),
    problems: z.array(z.object({ plugin, stage: z.string(), message: z.string() })).readonly(),
    ms: z.record(z.string(), z.number()).describe('Milliseconds spent in each stage.'),
  })
  .describe('Everything that happened to a turn and why.')
export type TraceView = z.infer<typeof trace>

export const turn = z.object({
  place,
  trace,
  messages: z.array(message).describe('What was looked at.'),
  said: z.array(message).describe('What was sent.'),
})
export type TurnView = z.infer<typeof turn>

export const drop = z
  .object({
    id: z.string(),
    platform: z.string(),
    place: place.optional().describe('Absent where somebody is alone with the bot: it would say who.'),
    plugin: plugin.optional().describe('Whose filter it was; absent when `listen` in bot.config.ts leaves it out.'),
    why: z.string(),
    count: z.number().describe('How many, within a minute.'),
    at: z.iso.datetime().describe('When the last one arrived.'),
  })
  .describe('Messages that were dropped on arrival, for one reason in one place. Neither what they say nor who said them.')
export type DropView = z.infer<typeof drop>

/** What happens, as it happens: one JSON value in each server-sent event. */
export type FeedEvent =
  | { readonly type: 'message'; readonly place: Place; readonly message: MessageView }
  | { readonly type: 'turn'; readonly turn: TurnView }
  /** New ones, or more of the same: `id` says which. */
  | { readonly type: 'dropped'; readonly drops: readonly DropView[] }
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
