/** The service {@link Channels} of the bot. */
import { Channels, definePlugin, type Platform, type Plugin } from '../../api/index.ts'
import type { CurrentSettings } from '../../kernel/turns/turn-settings.ts'
import type { Store } from '../../storage/store/store.ts'
import { directWith } from './direct.ts'
import { findChannel } from './find.ts'
import { pinsOf } from './pins.ts'

export interface ChannelsFeatureOptions {
  readonly platforms: ReadonlyMap<string, Platform>
  readonly store: Pick<Store, 'heard' | 'find' | 'known' | 'forgetting'>
  readonly settings: CurrentSettings
}

export function channelsFeature({ platforms, store, settings }: ChannelsFeatureOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-channels',
    provides: [Channels],
    setup: ({ provide, clock, log }) =>
      provide(Channels, {
        find: (name, where = {}) => findChannel(name, where, { platforms, store, clock }),
        direct: (known, person) => directWith(known, person, { platforms, clock, log }),
        pins: (conversation, signal) => pinsOf(conversation, signal, { platforms, store, settings, clock }),
      }),
  })()
}
