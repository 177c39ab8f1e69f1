import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from 'kikimimi'
import { createLogger } from '../core/base/log.ts'

/** For bots whose log nobody looks at. */
export const silent = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

/** Waits until it holds; the test's own time limit ends a wait for nothing. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20)
}
