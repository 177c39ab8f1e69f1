/** The service {@link Erasure} of the bot. */
import { definePlugin, Erasure, type Plugin } from '../../api/index.ts'
import type { Conversations } from '../../kernel/turns/conversations.ts'
import type { PersonErasure } from './erasure.ts'

export function erasureFeature(erasure: PersonErasure, conversations: Pick<Conversations, 'remove'>): Plugin {
  return definePlugin({
    name: 'kikimimi-erasure',
    provides: [Erasure],
    setup: ctx =>
      ctx.provide(Erasure, {
        forget: erasure.ask,
        removeMessage: (conversation, message) => conversations.remove(conversation, message),
      }),
  })()
}
