/** The parts of a bot, in the order in which they are made: each knows those above it. */
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import type { Current } from './configured.ts'
import type { Foundation } from './foundation.ts'
import type { Storage } from './storage.ts'
import type { Talk } from './talk.ts'

export interface Parts {
  readonly foundation: Foundation
  readonly storage: Storage
  readonly configured: Current
  readonly talk: Talk
  readonly host: PluginHost
}
