/**
 * States of OAuth: what comes back from Slack belongs to a request of this bot. Each is signed, expires after ten minutes, and
 * counts once. The installer of @slack/oauth binds it to the browser by a cookie.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { StateStore } from '@slack/bolt'
import type { Clock, Database } from 'kikimimi'

const LIFETIME_MS = 10 * 60_000

/** A state that the bot does not take. */
export class BadState extends Error {
  readonly code = 'slack_oauth_invalid_state'
}

export function createStates({
  db,
  clock,
  key,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly key: Buffer
}): StateStore {
  const signatureOf = (state: string) => createHmac('sha256', key).update(`slack.state ${state}`).digest('base64url')

  return {
    async generateStateParam() {
      const state = `${clock.now() + LIFETIME_MS}.${randomBytes(16).toString('base64url')}`
      return `${state}.${signatureOf(state)}`
    },

    async verifyStateParam(_now, given) {
      const [until = '', random = '', signature = ''] = given.split('.')
      const expected = Buffer.from(signatureOf(`${until}.${random}`))
      const told = Buffer.from(signature)
      if (told.length !== expected.length || !timingSafeEqual(told, expected)) throw new BadState('not signed by this bot')
      const now = clock.now()
      if (!(Number(until) > now)) throw new BadState('expired')
      await db.query('delete from slack.used_state where until <= $1', [new Date(now)])
      const { rowCount } = await db.query('insert into slack.used_state (state, until) values ($1, $2) on conflict do nothing', [
        random,
        new Date(Number(until)),
      ])
      if (rowCount === 0) throw new BadState('used before')
      // Nothing of an installation depends on where it began.
      return { scopes: [] }
    },
  }
}
