/** Events have ids only. This file converts them to people and channels. */
import type { Clock, Conversation, Person } from 'kikimimi'
import type { Self } from '../web-api/account.ts'
import type { Calls } from '../web-api/calls.ts'
import { createLookup } from './lookup.ts'

export interface Place {
  readonly name: string
  readonly visibility: Conversation['visibility']
  /** True: people who do not belong to the workspace read it too, or guests, who do not read its other channels. */
  readonly outsiders?: boolean
  /** What the channel is about, in Slack's markup. Empty or absent: nothing. */
  readonly topic?: string
  /** What the channel is for, in Slack's markup. Empty or absent: nothing. */
  readonly purpose?: string
  /** Id of the creator of the channel. */
  readonly creator?: string
}

/** A channel in Slack's format. */
export interface ToldChannel {
  readonly name?: string
  readonly is_im?: boolean
  readonly is_mpim?: boolean
  readonly is_group?: boolean
  readonly is_private?: boolean
  /** Shared with another workspace: of the same organization, or of another one (Slack Connect). */
  readonly is_shared?: boolean
  readonly is_org_shared?: boolean
  readonly is_ext_shared?: boolean
  readonly is_pending_ext_shared?: boolean
  /** The other person of a direct message. */
  readonly user?: string
  readonly creator?: string
  readonly topic?: { readonly value?: string }
  readonly purpose?: { readonly value?: string }
}

/** People and channels are asked for by Slack's ids. */
export interface Names {
  person(id: string): Promise<Person>
  /** `type` is the type of the channel in a current event. It has priority over the cache. */
  place(id: string, type?: string): Promise<Place>
  /** Stores a channel that Slack sent without a request for it. */
  placeTold(id: string, told: ToldChannel): Place
  /**
   * Whether a person may manage the bot in the workspace: its admins and owners, and everybody in a direct message. The
   * answer
   * is from the last {@link person} and {@link place}.
   */
  administers(person: string, channel?: string): boolean
  /** The same for a channel: also its creator. */
  moderates(person: string, channel: string): boolean
  personRenamed(id: string, name: string): void
  /** Whether the person is a guest or belongs to another workspace, from the last {@link person}. */
  isOutsider(person: string): boolean
  /** Outsiders read the channel, as something besides the description of the channel says. Returns whether that is new. */
  outsidersIn(channel: string): boolean
  /** The name, the topic or the purpose has changed. */
  channelChanged(id: string, to: Pick<Partial<Place>, 'name' | 'topic' | 'purpose'>): void
  /** Removes a channel from the cache. */
  channelForgotten(id: string): void
}

const HOUR = 60 * 60_000
const PATIENCE = 2_000

export interface NamesOptions {
  readonly clock: Clock
  readonly calls: Calls
  readonly account: Pick<Self, 'personId'>
  readonly signal: AbortSignal
}

export function createNames({ clock, calls: { call }, account: { personId }, signal }: NamesOptions): Names {
  const limits = { clock, ttlMs: HOUR, patienceMs: PATIENCE }
  const how = { signal, tries: 2 }

  const people = createLookup<{ readonly person: Person; readonly isAdmin: boolean; readonly isOutsider?: boolean }>({
    ...limits,
    size: 5_000,
    async load(id) {
      const { user } = await call('users.info', client => client.users.info({ user: id }), how)
      const isBot = user?.is_bot || id === 'USLACKBOT'
      return {
        person: { id: personId(id), name: nameOf(user ?? {}) || id, ...(isBot && { bot: true }) },
        isAdmin: user?.is_admin === true || user?.is_owner === true,
        isOutsider: user?.is_restricted === true || user?.is_ultra_restricted === true || user?.is_stranger === true,
      }
    },
  })

  const places = createLookup<Place>({
    ...limits,
    size: 2_000,
    async load(id) {
      const { channel } = await call('conversations.info', client => client.conversations.info({ channel: id }), how)
      // The types of the response lack the person of a direct message.
      const told: ToldChannel = channel ?? {}
      if (told.is_im) await person(told.user ?? id)
      return placeOf(id, told)
    },
  })

  const person = async (id: string) => (await people.get(id, { person: { id: personId(id), name: id }, isAdmin: false })).person

  function placeOf(id: string, { name = id, user = id, creator, topic, purpose, ...told }: ToldChannel): Place {
    const isShared = told.is_shared || told.is_org_shared || told.is_ext_shared || told.is_pending_ext_shared
    const outsiders = isShared || withOutsiders.has(id) || (told.is_im && isOutsider(user))
    const readers = { ...(outsiders && { outsiders }) }
    if (told.is_im) return { name: people.peek(user)?.person.name ?? user, visibility: 'direct', ...readers }
    const visibility = told.is_private || told.is_mpim || told.is_group ? 'private' : 'public'
    const about = { ...(topic?.value && { topic: topic.value }), ...(purpose?.value && { purpose: purpose.value }) }
    return { name, visibility, ...readers, ...about, ...(creator !== undefined && { creator }) }
  }

  const isOutsider = (id: string) => people.peek(id)?.isOutsider === true

  /** Channels in which outsiders were seen. */
  const withOutsiders = new Set<string>()

  const administers = (id: string, channel = '') =>
    places.peek(channel)?.visibility === 'direct' || people.peek(id)?.isAdmin === true

  return {
    person,

    async place(id, type) {
      const visibility = VISIBILITIES[type ?? '']
      // A channel of unknown visibility counts as private.
      const place = await places.get(id, { name: id, visibility: visibility ?? 'private' })
      if (visibility === undefined || visibility === place.visibility) return place
      // It became private without an event.
      places.change(id, known => ({ ...known, visibility }))
      return { ...place, visibility }
    },

    placeTold(id, told) {
      const place = placeOf(id, told)
      // The person of a direct message is looked up when a message arrives.
      if (!told.is_im) places.set(id, place)
      return place
    },

    administers,
    moderates: (id, channel) => administers(id, channel) || places.peek(channel)?.creator === id,

    isOutsider,
    outsidersIn(channel) {
      const isNew = places.peek(channel)?.outsiders !== true
      withOutsiders.add(channel)
      places.change(channel, known => ({ ...known, outsiders: true }))
      return isNew
    },

    personRenamed: (id, name) => people.change(id, known => ({ ...known, person: { ...known.person, name } })),
    channelChanged: (id, to) => places.change(id, known => ({ ...known, ...to })),
    channelForgotten(channel) {
      withOutsiders.delete(channel)
      places.forget(channel)
    },
  }
}

const VISIBILITIES: Readonly<Record<string, Conversation['visibility']>> = {
  channel: 'public',
  group: 'private',
  mpim: 'private',
  im: 'direct',
}

/** The display name. */
export function nameOf(user: {
  readonly name?: string
  readonly real_name?: string
  readonly profile?: { readonly display_name?: string; readonly real_name?: string }
}): string {
  return user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || ''
}
