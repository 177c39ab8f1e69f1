/** Checks the Telegram setup for `kikimimi check`. */
import type { Finding } from 'kikimimi'
import { call, createApi } from './calls.ts'

/** Milliseconds. */
const TIMEOUT = 10_000
const PRIVACY =
  'the bot gets only commands, mentions of it and replies to it. Send /setprivacy to @BotFather, choose the bot and Disable; then remove the bot from its groups and add it again.'

/** Rejects if Telegram refuses the token or is unreachable. */
export async function check(account: Parameters<typeof createApi>[0]): Promise<readonly Finding[]> {
  const me = await call(AbortSignal.timeout(TIMEOUT), signal => createApi(account).getMe(signal))
  const { username, can_read_all_group_messages: readsAll, can_join_groups: joins } = me
  return [
    { what: `the token is that of @${username}` },
    readsAll ? { what: 'the bot gets all messages of its groups' } : { what: 'privacy mode is on', problem: PRIVACY },
    ...(joins ? [] : [{ what: 'groups', problem: 'the bot cannot be added to groups. Send /setjoingroups to @BotFather.' }]),
  ]
}
