/** Pieces of schema that the options of many plugins need. */
import { z } from 'zod'
import type { Duration } from '../base/duration.ts'
import { DURATION_FORM, milliseconds, parseDuration } from '../base/duration.ts'

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
