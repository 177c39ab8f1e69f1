import type { Conversation, Person, Platform } from '../../api/index.ts'

/** The bot's account in a conversation. Where the bot was removed it is that of the platform. */
export async function ownAccount(platform: Pick<Platform, 'me' | 'meIn'>, conversation: Conversation): Promise<Person> {
  return (await accountIn(platform, conversation)) ?? platform.me
}

/** The bot's account in a conversation. Nothing where the bot was removed. */
export async function accountIn(
  platform: Pick<Platform, 'me' | 'meIn'>,
  conversation: Conversation,
): Promise<Person | undefined> {
  return platform.meIn ? platform.meIn(conversation) : platform.me
}
