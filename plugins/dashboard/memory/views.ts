/** What the Memory page shows. */
import { z } from 'zod'

const somebody = z.object({ id: z.string(), name: z.string() })

const leg = (what: string) => z.number().describe(`${what}: what it adds.`)
const factor = (what: string) => z.number().describe(`${what}: what the sum is multiplied with.`)

export const scoreParts = z
  .object({
    bm25: leg('Words, rare ones more'),
    pairs: leg('Pairs of Japanese characters'),
    jaccard: leg('Words in common, of all words'),
    vector: leg('Meaning'),
    surroundings: leg('The messages around it'),
    replies: leg('The message that it answers'),
    time: factor('Age'),
    confidence: factor('How sure it is'),
    person: factor('Being about somebody named'),
  })
  .describe('(bm25 + pairs + jaccard + vector + surroundings + replies) · time · confidence · person = score')

export const fact = z.object({
  id: z.number(),
  content: z.string(),
  kind: z.enum(['durable', 'preference', 'current', 'event']),
  people: z.array(somebody).describe('Those it is about.'),
  confidence: z.number().describe('0…1.'),
  shareable: z.boolean().describe('May be brought up unasked.'),
  pinned: z.boolean().describe('It never fades.'),
  at: z.iso.datetime(),
  platform: z.string(),
  channel: z.string().describe('The name of the channel it was said in.'),
  visibility: z.enum(['public', 'private', 'direct']).describe('Where it may be told now: in the workspace, or there alone.'),
  recalled: z.number().describe('How often it came back to mind.'),
  until: z.iso.datetime().optional().describe('Since then something else holds.'),
  edited: z.iso.datetime().optional().describe('Since then it says what somebody put right.'),
  sources: z
    .array(
      z.object({
        message: z.string().describe('Its id.'),
        author: somebody,
        at: z.iso.datetime().optional().describe('Absent when the message is not kept any more.'),
        quote: z.string().optional().describe('The words that say it.'),
      }),
    )
    .describe('Who said it.'),
  score: z.number().optional().describe('Comparable within one search only.'),
  evidence: z.number().optional().describe('How much of the text it covers, 0…1.'),
  parts: scoreParts.optional(),
})
export type FactView = z.infer<typeof fact>

export const person = z.object({
  platform: z.string(),
  id: z.string(),
  name: z.string(),
  messages: z.number(),
  last: z.iso.datetime().describe('When they last said something.'),
})
export type PersonView = z.infer<typeof person>
