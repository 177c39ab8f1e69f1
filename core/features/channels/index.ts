/** The service {@link Channels} of the bot. */
import { Channels, definePlugin, type Platform, type Plugin } from '../../api/index.ts'
import type { Store } from '../../storage/store/store.ts'
import { findChannel } from './find.ts'

export function channelsFeature(platforms: ReadonlyMap<string, Platform>, store: Pick<Store, 'heard'>): Plugin {
  return definePlugin({
    name: 'kikimimi-channels',
    provides: [Channels],
    setup: ({ provide, clock }) =>
      provide(Channels, { find: (name, where = {}) => findChannel(name, where, { platforms, store, clock }) }),
  })()
}
