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

export const person = z.object({
  platform: z.string(),
  id: z.string(),
  name: z.string(),
  messages: z.number(),
  last: z.iso.datetime().describe('Time of the last message.'),
})
export type PersonView = z.infer<typeof person>
