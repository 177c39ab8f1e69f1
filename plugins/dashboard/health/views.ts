/** How the bot is doing, as the JSON API gives it. */
import { z } from 'zod'

const when = z.iso.datetime()
const ms = z.number().describe('Milliseconds.')

/** Half of them are quicker, and nineteen in twenty. */
const spread = z.object({ p50: ms, p95: ms, count: z.number() })
export type Spread = z.infer<typeof spread>

const amount = z.object({
  tokens: z.number().optional(),
  money: z.number().optional().describe('In the currency of the prices in bot.config.ts.'),
})

export const measurement = z.object({
  at: when,
  took: ms,
  database: spread.describe('From the question to the answer of the shortest query.'),
  verdicts: z.number().describe('Of the rule judge in a second of computing.'),
  lateness: spread.describe('How much later than asked for a timer goes off.'),
})
export type MeasurementView = z.infer<typeof measurement>

export const healthView = z.object({
  platforms: z.array(z.object({ name: z.string(), why: z.string().nullable().describe('Why it hears nothing right now.') })),
  breakers: z
    .array(
      z.object({
        plugin: z.string().optional(),
        stage: z.string().optional().describe('Of the plugin.'),
        model: z.string().optional(),
        since: when,
        until: when.describe('From then on one call tries whether it works again.'),
        why: z.string().describe('How it failed last.'),
      }),
    )
    .describe('What kept failing and is left alone for a while, in this process.'),
  problems: z.array(z.object({ plugin: z.string(), stage: z.string(), message: z.string(), times: z.number(), last: when })),
  models: z.array(
    z.object({
      role: z.string(),
      model: z.string(),
      calls: z.number(),
      failed: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      ms: z.number().describe('On average.'),
      cost: z.number().nullable(),
    }),
  ),
  budget: z
    .array(
      z.object({
        channel: z.string().optional().describe('Its name; absent for the whole bot.'),
        period: z.enum(['hour', 'day']),
        until: when.describe('When the next period begins, with nothing spent.'),
        limits: amount,
        spent: amount.required(),
      }),
    )
    .describe('What models may cost and have cost. Empty where bot.config.ts sets no limit.'),
  queue: z.object({
    due: z.number(),
    later: z.number(),
    active: z.number(),
    failed: z
      .array(
        z.object({
          kind: z.string(),
          retrying: z.number().describe('Have failed and are tried again.'),
          deadLetters: z.number().describe('In the last day.'),
          last: when.optional().describe('When one was given up.'),
          why: z
            .string()
            .optional()
            .describe('How one failed last: an error of kikimimi by its message, others by their name alone.'),
        }),
      )
      .describe('By the name of the job.'),
  }),
  latency: z
    .object({
      answer: spread.optional().describe('From the message that called the bot to its answer.'),
      stages: z.array(spread.extend({ stage: z.string() })),
    })
    .describe('Of the last day, and of no more than its latest 2,000 turns.'),
  database: z.object({
    kind: z.enum(['PGlite', 'Postgres']),
    version: z.string(),
    pgvector: z.string(),
    bytes: z.number(),
    migrations: z.number().describe('Steps that its tables have taken. None is left: the bot takes them when it starts.'),
    oldestTrace: when.optional(),
  }),
  process: z.object({
    host: z.string(),
    pid: z.number(),
    upSince: when,
    memory: z.number().describe('Bytes.'),
    others: z.number().describe('Further processes of bots that are connected to the same database.'),
  }),
  versions: z.object({
    kikimimi: z.string(),
    node: z.string(),
    plugins: z.array(
      z.object({ name: z.string(), version: z.string().optional().describe('Absent for what is no package of kikimimi.') }),
    ),
  }),
  measured: measurement.optional(),
})
export type HealthView = z.infer<typeof healthView>
