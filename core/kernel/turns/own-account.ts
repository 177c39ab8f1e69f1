import type { Conversation, Person, Platform } from '../../api/index.ts'

/** The bot's account in a conversation. Nothing where the bot was removed. */
export async function accountIn(platform: Platform, conversation: Conversation): Promise<Person | undefined> {
  return platform.meIn ? platform.meIn(conversation) : platform.me
}
