/** Schema parts that the options of many plugins use. */
import { z } from 'zod'
import { DURATION_FORM, type Duration, milliseconds, parseDuration } from '../base/duration.ts'

/**
 * A {@link Duration} in bot.config.ts, milliseconds for the plugin.
 *
 * @example z.object({ cooldown: duration.prefault('2m').describe('Rest after an answer.') })
 */
export const duration = z
  .custom<Duration>(value => parseDuration(value) !== undefined, {
    error: ({ input }) => `expected ${DURATION_FORM}, got ${JSON.stringify(input)}`,
  })
  .transform(milliseconds)
  .meta({ title: 'time' })
