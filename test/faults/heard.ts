import type { IncomingMessage } from 'kikimimi'
import type { TestPlatform } from 'kikimimi/testing'

/** A message of alice in its own channel, to the bot by default. */
export function said({ me }: TestPlatform, id: string, { calls = true, text = 'hello' } = {}): IncomingMessage {
  return {
    id,
    conversation: { platform: 'test', workspace: 'team', channel: id, name: id, visibility: 'public' },
    author: { id: 'alice', name: 'alice' },
    text,
    at: new Date(),
    mentions: calls ? [me] : [],
  }
}
