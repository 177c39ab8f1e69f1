/** The health of the bot in the JSON API. */
import { z } from 'zod'

const when = z.iso.datetime()
const ms = z.number().describe('Milliseconds.')

/** Median and 95th percentile. */
const spread = z.object({ p50: ms, p95: ms, count: z.number() })
export type Spread = z.infer<typeof spread>

const amount = z.object({
  tokens: z.number().optional(),
  money: z.number().optional().describe('Cost in the currency of the prices in bot.config.ts.'),
})

export const measurement = z.object({
  at: when,
  took: ms,
  database: spread.describe('Response time of the shortest query.'),
  verdicts: z.number().describe('Decisions of judge-rules per second of processor time.'),
  lateness: spread.describe('Delay of a timer after its due time.'),
})
export type MeasurementView = z.infer<typeof measurement>

export const healthView = z.object({
  platforms: z.array(z.object({ name: z.string(), why: z.string().nullable().describe('Why it is not connected.') })),
  overload: z
    .object({ since: when, call: z.number(), talk: z.number(), change: z.number(), lost: z.number() })
    .nullable()
    .describe(
      'What this process has shed since it cannot keep up: calls, other messages, edits and reactions. Null when it keeps up.',
    ),
  plugins: z
    .array(z.object({ plugin: z.string(), state: z.string(), problem: z.string().nullable() }))
    .describe('State of what plugins do on their own, such as backups.'),
  warnings: z.array(z.string()).describe('What in bot.config.ts is valid and cannot work as it says.'),
  breakers: z
    .array(
      z.object({
        plugin: z.string().optional(),
        stage: z.string().optional().describe('Stage of the plugin.'),
        model: z.string().optional(),
        since: when,
        until: when.describe('Time of the next attempt.'),
        why: z.string().describe('The last error.'),
      }),
    )
    .describe('Open circuits of this process: plugins and models that are paused after errors.'),
  problems: z.array(z.object({ plugin: z.string(), stage: z.string(), message: z.string(), times: z.number(), last: when })),
  models: z.array(
    z.object({
      role: z.string(),
      model: z.string(),
      calls: z.number(),
      failed: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      ms: z.number().describe('Mean.'),
      cost: z.number().nullable(),
    }),
  ),
  budget: z
    .array(
      z.object({
        channel: z.string().optional().describe('Name of the channel; absent for the whole bot.'),
        period: z.enum(['hour', 'day']),
        until: when.describe('Start of the next period.'),
        limits: amount,
        spent: amount.required(),
      }),
    )
    .describe('Limits of models and their use. Empty without limits in bot.config.ts.'),
  queue: z.object({
    due: z.number(),
    later: z.number(),
    active: z.number(),
    failed: z
      .array(
        z.object({
          kind: z.string(),
          retrying: z.number().describe('Number of failed jobs that wait for a retry.'),
          deadLetters: z.number().describe('Number of dead letters in the last 24 hours.'),
          last: when.optional().describe('Time of the last dead letter.'),
          why: z
            .string()
            .optional()
            .describe('How one failed last: an error of kikimimi by its message, others by their name alone.'),
        }),
      )
      .describe('By name of the job.'),
  }),
  latency: z
    .object({
      answer: spread.optional().describe('From the message that addresses the bot to its answer.'),
      stages: z.array(spread.extend({ stage: z.string() })),
    })
    .describe('The last 24 hours, at most the latest 2,000 turns.'),
  database: z.object({
    kind: z.enum(['PGlite', 'Postgres']),
    version: z.string(),
    pgvector: z.string(),
    bytes: z.number(),
    migrations: z.number().describe('Number of migrations of its tables. The bot applies all when it starts.'),
    oldestTrace: when.optional(),
  }),
  process: z.object({
    host: z.string(),
    pid: z.number(),
    upSince: when,
    memory: z.number().describe('Bytes.'),
    others: z.number().describe('Number of other processes of bots on the same database.'),
  }),
  versions: z.object({
    kikimimi: z.string(),
    node: z.string(),
    plugins: z.array(
      z.object({ name: z.string(), version: z.string().optional().describe('Absent for plugins outside of kikimimi.') }),
    ),
  }),
  measured: measurement.optional(),
})
export type HealthView = z.infer<typeof healthView>
