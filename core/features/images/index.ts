/** The service {@link Images} of the bot. */
import { definePlugin, Images, type Platform, type Plugin } from '../../api/index.ts'
import { readImages } from './images.ts'

export function imagesFeature(platforms: ReadonlyMap<string, Platform>): Plugin {
  return definePlugin({
    name: 'kikimimi-images',
    provides: [Images],
    setup: ({ provide, clock, log }) =>
      provide(Images, {
        read: async (conversation, attachments, signal) =>
          readImages(attachments, { platform: platforms.get(conversation.platform) ?? {}, clock, log, signal }),
      }),
  })()
}
