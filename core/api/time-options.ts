/** Schema parts for times in the options of plugins. */
import { z } from 'zod'
import { DURATION_FORM, type Duration, milliseconds, parseDuration } from '../base/duration.ts'
import { cronProblem, timeZoneProblem } from '../base/schedule.ts'

/** The schema {@link duration}: few methods of zod, so that each has one meaning. */
export interface DurationOption extends z.core.$ZodType<number, Duration> {
  /** The value of an option that bot.config.ts leaves out, as people write it there: `'6h'`. */
  default(value: Duration): z.ZodPrefault<DurationOption>
  /** Bot.config.ts can leave the option out. The plugin then gets `undefined`. */
  optional(): z.ZodOptional<DurationOption>
  /** A sentence about the option, for the documentation and the dashboard. */
  describe(text: string): DurationOption
}

/**
 * A {@link Duration} in bot.config.ts, milliseconds for the plugin.
 *
 * @example z.object({ cooldown: duration.default('2m').describe('Rest after an answer.') })
 */
export const duration: DurationOption = optionOf(
  z
    .custom<Duration>(value => parseDuration(value) !== undefined, {
      error: ({ input }) => `expected ${DURATION_FORM}, got ${JSON.stringify(input)}`,
    })
    .transform(milliseconds)
    .meta({ title: 'time' }),
)

/** In zod, `default` takes what the plugin gets. People write durations, and read them in the documentation, as texts. */
function optionOf(schema: z.ZodType<number, Duration>): DurationOption {
  const describe = schema.describe.bind(schema)
  const option: DurationOption = Object.assign(schema, {
    default: (value: Duration) => z.prefault(option, value),
    describe: (text: string) => optionOf(describe(text)),
  })
  return option
}

/**
 * A cron expression in bot.config.ts: see {@link CronSchedule}.
 *
 * @example z.object({ at: cron.default('0 7 * * MON-FRI').describe('When the bot reminds.') })
 */
export const cron = checked(cronProblem)

/**
 * The IANA name of a time zone in bot.config.ts, such as `Asia/Tokyo`.
 *
 * @example z.object({ timeZone: timeZone.default('UTC').describe('Time zone of `at`.') })
 */
export const timeZone = checked(timeZoneProblem)

function checked(problemOf: (text: string) => string | undefined) {
  return z.string().refine(text => problemOf(text) === undefined, { error: ({ input }) => problemOf(String(input)) })
}
