import type { IncomingMessage } from 'kikimimi'
import type { TestPlatform } from 'kikimimi/testing'

/** Something that alice says in a channel of its own, to the bot if she does not say otherwise. */
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
