import type { Conversation, Person, Platform } from '../../api/index.ts'

/** The bot's account in a conversation. Where the bot was removed it is that of the platform. */
export async function ownAccount(platform: Pick<Platform, 'me' | 'meIn'>, conversation: Conversation): Promise<Person> {
  return (await platform.meIn?.(conversation)) ?? platform.me
}

/** Whether the bot was removed from the place of a conversation. */
export async function isRemoved(platform: Pick<Platform, 'meIn'>, conversation: Conversation): Promise<boolean> {
  return platform.meIn !== undefined && (await platform.meIn(conversation)) === undefined
}
