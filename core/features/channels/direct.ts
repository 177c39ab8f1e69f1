/** The direct conversation with a person. */
import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import type { Conversation, Person, Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'

export interface DirectOptions {
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds a platform has to open it. */
const DEADLINE = 30_000

export async function directWith(
  { platform: name, workspace }: Pick<Conversation, 'platform' | 'workspace'>,
  person: Person,
  { platforms, clock, log }: DirectOptions,
): Promise<Conversation | undefined> {
  const platform = platforms.get(name)
  const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${name} opened no direct conversation in ${DEADLINE / 1_000} s.`)
  try {
    const opened = await withTimeout({ clock, ms: DEADLINE, late }, async signal => platform?.direct?.(workspace, person, signal))
    return opened && sanitizeConversation(opened)
  } catch (error) {
    log.info(`could not open a direct conversation: ${reason(error)}`, { platform: name })
    return undefined
  }
}
