import { describe, it } from 'vitest'
import { changes } from './platform-contract/changes.ts'
import type { PlatformHarness } from './platform-contract/harness.ts'
import { presence } from './platform-contract/presence.ts'
import { type Check, perform } from './platform-contract/stage.ts'
import { surroundings } from './platform-contract/surroundings.ts'
import { talk } from './platform-contract/talk.ts'

export type { PlatformHarness }

export const platformChecks: readonly Check[] = [...talk, ...changes, ...surroundings, ...presence]

/**
 * What every platform guarantees, tested with a whole bot. A check that needs a missing method of the harness is skipped
 * and says why.
 * @param open makes a fresh harness for each check: nothing is said yet in its channel and its places. The bot's name is `kiki`
 */
export function platformContract(name: string, open: () => Promise<PlatformHarness>): void {
  describe(`the platform ${name}`, () => {
    for (const check of platformChecks) {
      it(check.name, async context => {
        const skipped = await perform(check, open)
        if (skipped) context.skip(skipped)
      })
    }
  })
}
