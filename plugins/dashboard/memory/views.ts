/** Facts and people in the JSON API. */
import { z } from 'zod'

const somebody = z.object({ id: z.string(), name: z.string() })

const leg = (what: string) => z.number().describe(`${what}: what it adds.`)
const factor = (what: string) => z.number().describe(`${what}: what the sum is multiplied with.`)

export const scoreParts = z
  .object({
    bm25: leg('Words, rare ones more'),
    pairs: leg('Pairs of Japanese characters'),
    jaccard: leg('Words in common, of all words, with the ranking `classic`'),
    vector: leg('Meaning'),
    surroundings: leg('The messages around it'),
    question: leg('The question that it answers'),
    sitting: leg('All that was said in its sitting'),
    sources: leg('The messages that it comes from'),
    rerank: leg('The model for reranking'),
    time: factor('Age'),
    confidence: factor('How sure it is'),
    person: factor('Being about somebody named'),
    answer: factor('A time or a number, if the text asks for one'),
  })
  .describe(
    '(bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank) · time · confidence · person · answer = score',
  )

export const fact = z.object({
  id: z.number(),
  content: z.string(),
  kind: z.enum(['durable', 'preference', 'current', 'event']),
  people: z.array(somebody).describe('People it is about.'),
  confidence: z.number().describe('0…1.'),
  shareable: z.boolean().describe('Whether the bot may mention it unasked.'),
  pinned: z.boolean().describe('It does not decay.'),
  at: z.iso.datetime(),
  platform: z.string(),
  channel: z.string().describe('Name of the channel in which it was said.'),
  visibility: z.enum(['public', 'private', 'direct']).describe('Audience now: the workspace, or this channel only.'),
  recalled: z.number().describe('Number of recalls.'),
  until: z.iso.datetime().optional().describe('Time from which it no longer holds.'),
  confirmed: z.iso.datetime().optional().describe('When somebody said on the page that it is true.'),
  edited: z.iso.datetime().optional().describe('Time of its last edit.'),
  sources: z
    .array(
      z.object({
        message: z.string().describe('Id of the message.'),
        author: somebody,
        at: z.iso.datetime().optional().describe('Absent if the message is not stored any more.'),
        quote: z.string().optional().describe('The words that state the fact.'),
      }),
    )
    .describe('Sources of the fact.'),
  score: z.number().optional().describe('Comparable within one search only.'),
  evidence: z.number().optional().describe('Share of the text that it covers, 0…1.'),
  relevance: z.number().optional().describe('Probability that it answers the text, 0…1.'),
  parts: scoreParts.optional(),
})
export type FactView = z.infer<typeof fact>

export const QUEUES = ['new', 'disagreeing', 'replaced', 'expiring', 'all'] as const

const inboxEntry = z.object({
  fact,
  against: z.array(fact).describe('With `disagreeing`: facts with another value of the same relation, newest first.'),
  endsAt: z.iso.datetime().optional().describe('When it ends by itself.'),
  ends: z
    .enum(['expires', 'fades'])
    .optional()
    .describe('`expires`: it states the time. `fades`: no answer has used it for long.'),
  replacedBy: fact.optional(),
  batch: z.number().optional().describe('Number of the batch of replacements, to undo it.'),
})
export type InboxEntry = z.infer<typeof inboxEntry>

export const inboxPage = z.object({
  kept: z.boolean().describe('Whether a plugin stores facts.'),
  entries: z.array(inboxEntry),
  next: z.string().optional().describe('Absent: there are no further entries. A page with it can have few entries.'),
})
export type InboxPage = z.infer<typeof inboxPage>

export const person = z.object({
  platform: z.string(),
  id: z.string(),
  name: z.string(),
  messages: z.number(),
  last: z.iso.datetime().describe('Time of the last message.'),
})
export type PersonView = z.infer<typeof person>

export const card = z.object({
  messages: z.number(),
  mentions: z.number().describe('Number of messages that address the bot.'),
  familiarity: z.enum(['stranger', 'acquaintance', 'regular', 'close']),
  lastSeen: z.iso.datetime(),
  channels: z
    .array(z.object({ id: z.string(), name: z.string(), messages: z.number() }))
    .describe('Most active first, at most 20.'),
  topics: z.array(z.string()).describe('Words of the last conversation that ended.'),
  tags: z.array(z.string()),
  personality: z.string().optional(),
  lastConversation: z.string().optional(),
  accounts: z.array(z.object({ platform: z.string(), id: z.string() })).describe('Other accounts of the person.'),
  cards: z
    .array(
      z.object({
        channel: z
          .string()
          .optional()
          .describe('Name of the channel whose readers may know it. Absent: everybody in the workspace.'),
        madeAt: z.iso.datetime(),
        lines: z.array(z.string()),
      }),
    )
    .describe('What the bot puts into its prompts about the person, for each group of readers.'),
})
export type CardView = z.infer<typeof card>
