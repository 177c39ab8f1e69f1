/** Helpers for tests of the profiles. */
import { type Conversation, conversationId, definePlugin, type PersonKey, type Plugin, type PluginContext } from 'kikimimi'
import profiles, { type Profile, type ProfileStore, Profiles } from './index.ts'

export interface Borrowed {
  readonly plugins: Plugin[]
  ctx(): PluginContext
  store(): ProfileStore
  /** The profile for readers of `general`, or of another conversation. */
  known(id: string, reader?: Conversation): Promise<Profile>
}

/** The plugin and its service, available after the start of the bot. */
export function borrowedProfiles(options: Parameters<typeof profiles>[0] = {}): Borrowed {
  let running: PluginContext | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Profiles],
    setup: ctx => {
      running = ctx
    },
  })
  const ctx = () => {
    if (running) return running
    throw new Error('the bot has not started')
  }
  const store = () => ctx().use(Profiles)
  return {
    plugins: [profiles(options), borrower()],
    ctx,
    store,
    async known(id, reader = place()) {
      const profile = await store().get(key(id), reader)
      if (profile) return profile
      throw new Error(`there is no profile of ${id}`)
    },
  }
}

export function key(id: string, platform = 'test'): PersonKey {
  return { platform, id }
}

export function place(channel = 'general', more: Partial<Omit<Conversation, 'id'>> = {}): Conversation {
  const where = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public', ...more } as const
  return { ...where, id: conversationId(where) }
}
