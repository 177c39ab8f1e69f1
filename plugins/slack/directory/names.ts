/** Events carry ids alone. Here they become people and channels. */
import type { Conversation, Person, PlatformContext } from 'kikimimi'
import type { Calls } from '../web-api/calls.ts'
import { createLookup } from './lookup.ts'

export interface Place {
  readonly name: string
  readonly visibility: Conversation['visibility']
  /** The id of who made the channel. */
  readonly creator?: string
}

/** What Slack tells of a channel. */
export interface ToldChannel {
  readonly name?: string
  readonly is_im?: boolean
  readonly is_mpim?: boolean
  readonly is_group?: boolean
  readonly is_private?: boolean
  /** With whom, when it is direct. */
  readonly user?: string
  readonly creator?: string
}

export interface Names {
  person(id: string): Promise<Person>
  /** `type` is what an event that was told just now says of the channel: it goes before what is remembered. */
  place(id: string, type?: string): Promise<Place>
  /** Slack has told of a channel without being asked for just this one. */
  placeTold(id: string, told: ToldChannel): Place
  /**
   * Whether somebody may change what the bot does in the workspace: its admins and owners, and in a direct message everybody. As
   * far as it is known since the last {@link person} and {@link place}.
   */
  administers(person: string, channel: string): boolean
  /** The same of a channel: besides them, who made it. */
  moderates(person: string, channel: string): boolean
  personRenamed(id: string, name: string): void
  channelRenamed(id: string, name: string): void
  /** Asked for anew the next time. */
  channelForgotten(id: string): void
}

const HOUR = 60 * 60_000
const PATIENCE = 2_000

export function createNames({ clock }: Pick<PlatformContext, 'clock'>, { call }: Calls, signal: AbortSignal): Names {
  const limits = { clock, ttlMs: HOUR, patienceMs: PATIENCE }
  const how = { signal, tries: 2 }

  const people = createLookup<{ readonly person: Person; readonly isAdmin: boolean }>({
    ...limits,
    size: 5_000,
    async load(id) {
      const { user } = await call('users.info', client => client.users.info({ user: id }), how)
      const isBot = user?.is_bot || id === 'USLACKBOT'
      return {
        person: { id, name: nameOf(user ?? {}) || id, ...(isBot && { bot: true }) },
        isAdmin: user?.is_admin === true || user?.is_owner === true,
      }
    },
  })

  const places = createLookup<Place>({
    ...limits,
    size: 2_000,
    async load(id) {
      const { channel } = await call('conversations.info', client => client.conversations.info({ channel: id }), how)
      // The types of the answer leave out with whom a direct message is.
      const told: ToldChannel = channel ?? {}
      if (told.is_im) await person(told.user ?? id)
      return placeOf(id, told)
    },
  })

  const person = async (id: string) => (await people.get(id, { person: { id, name: id }, isAdmin: false })).person

  function placeOf(id: string, { name = id, user = id, creator, ...told }: ToldChannel): Place {
    if (told.is_im) return { name: people.peek(user)?.person.name ?? user, visibility: 'direct' }
    const visibility = told.is_private || told.is_mpim || told.is_group ? 'private' : 'public'
    return { name, visibility, ...(creator !== undefined && { creator }) }
  }

  const administers = (id: string, channel: string) =>
    places.peek(channel)?.visibility === 'direct' || people.peek(id)?.isAdmin === true

  return {
    person,

    async place(id, type) {
      const visibility = VISIBILITIES[type ?? '']
      // Who cannot tell whether a channel is public takes it for private.
      const place = await places.get(id, { name: id, visibility: visibility ?? 'private' })
      if (visibility === undefined || visibility === place.visibility) return place
      // It was made private, and nobody had said so.
      places.change(id, known => ({ ...known, visibility }))
      return { ...place, visibility }
    },

    placeTold(id, told) {
      const place = placeOf(id, told)
      // Whom a direct message is with is looked up when one comes.
      if (!told.is_im) places.set(id, place)
      return place
    },

    administers,
    moderates: (id, channel) => administers(id, channel) || places.peek(channel)?.creator === id,

    personRenamed: (id, name) => people.change(id, known => ({ ...known, person: { ...known.person, name } })),
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
