import type { Conversation, Person, Platform } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'

/** The bot's account in a conversation. */
export function ownAccount(platform: Pick<Platform, 'me' | 'meIn'>, conversation: Conversation): Awaitable<Person> {
  return platform.meIn ? platform.meIn(conversation) : platform.me
}
