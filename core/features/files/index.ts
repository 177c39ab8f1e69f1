/** The service {@link Files} of the bot. */
import { definePlugin, Files, type Platform, type Plugin } from '../../api/index.ts'
import { bytesOf } from './bytes.ts'
import { type Ears, readFiles } from './files.ts'

export function filesFeature(platforms: ReadonlyMap<string, Platform>, models: Ears): Plugin {
  return definePlugin({
    name: 'kikimimi-files',
    provides: [Files],
    setup: ({ provide, clock, log, bot }) =>
      provide(Files, {
        read: async (conversation, attachments, { locale = bot.locale, ...options } = {}) =>
          readFiles(attachments, {
            platform: platforms.get(conversation.platform) ?? {},
            conversation,
            models,
            clock,
            log,
            locale,
            ...options,
          }),

        async fetch(conversation, attachment, { maxBytes, signal }) {
          const platform = platforms.get(conversation.platform)
          const own = (within: AbortSignal) => platform?.fetchAttachment?.(attachment, within, conversation)
          return bytesOf(attachment, own, maxBytes, signal)
        },
      }),
  })()
}
