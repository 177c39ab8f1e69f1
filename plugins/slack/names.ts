/** Events carry ids alone. Here they become people and channels. */
import type { App, Conversation, Person } from 'kikimimi'
import type { Calls } from './calls.ts'
import { createLookup } from './lookup.ts'

export interface Place {
  readonly name: string
  readonly visibility: Conversation['visibility']
}

export interface Names {
  person(id: string): Promise<Person>
  /** `type` is what the event says of the channel, for when Slack cannot be asked. */
  place(id: string, type?: string): Promise<Place>
  personRenamed(id: string, name: string): void
  channelRenamed(id: string, name: string): void
  /** Asked for anew the next time. */
  channelForgotten(id: string): void
}

const HOUR = 60 * 60_000
const PATIENCE = 2_000

export function createNames({ clock }: Pick<App, 'clock'>, { call }: Calls, signal: AbortSignal): Names {
  const limits = { clock, ttlMs: HOUR, patienceMs: PATIENCE }
  const how = { signal, tries: 2 }

  const people = createLookup<Person>({
    ...limits,
    size: 5_000,
    async load(id) {
      const { user } = await call('users.info', client => client.users.info({ user: id }), how)
      return { id, name: nameOf(user ?? {}) || id, ...((user?.is_bot || id === 'USLACKBOT') && { bot: true }) }
    },
  })

  const places = createLookup<Place>({
    ...limits,
    size: 2_000,
    async load(id) {
      const { channel } = await call('conversations.info', client => client.conversations.info({ channel: id }), how)
      // The types of the answer leave out with whom a direct message is.
      if (channel?.is_im) {
        const user = 'user' in channel ? String(channel.user) : id
        return { name: (await person(user)).name, visibility: 'direct' }
      }
      const isPrivate = channel?.is_private || channel?.is_mpim || channel?.is_group
      return { name: channel?.name ?? id, visibility: isPrivate ? 'private' : 'public' }
    },
  })

  const person = (id: string) => people.get(id, { id, name: id })

  return {
    person,
    // Who cannot tell whether a channel is public takes it for private.
    place: (id, type) => places.get(id, { name: id, visibility: VISIBILITIES[type ?? ''] ?? 'private' }),
    personRenamed: (id, name) => people.change(id, known => ({ ...known, name })),
    channelRenamed: (id, name) => places.change(id, known => ({ ...known, name })),
    channelForgotten: places.forget,
  }
}

const VISIBILITIES: Readonly<Record<string, Conversation['visibility']>> = {
  channel: 'public',
  group: 'private',
  mpim: 'private',
  im: 'direct',
}

/** As people see it in the channel. */
export function nameOf(user: {
  readonly name?: string
  readonly real_name?: string
  readonly profile?: { readonly display_name?: string; readonly real_name?: string }
}): string {
  return user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || ''
}
