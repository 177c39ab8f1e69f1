import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from 'kikimimi'
import { createLogger } from '../core/base/log.ts'

/** A logger without output. */
export const silent = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

/** Waits until the condition holds. The time limit of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20)
}
