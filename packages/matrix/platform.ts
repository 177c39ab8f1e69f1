/** The Matrix platform: what the bot is told, and what it does. */
import { randomUUID } from 'node:crypto'
import { KikimimiError, type Person, RecentMap } from 'kikimimi'
import {
  keepConnected,
  keepTyping,
  type Outgoing,
  type Platform,
  type PlatformContext,
  takeEvent,
  takeMessage,
  withMentions,
} from 'kikimimi/platform'
import type { IInvitedRoom, IJoinedRoom, IRoomEvent, ISyncResponse } from 'matrix-js-sdk/lib/sync-accumulator.js'
import { accountOf, createCalls } from './calls.ts'
import { createHistory } from './history.ts'
import type { MatrixOptions } from './index.ts'
import { incoming, MESSAGES, saidIn, type Told, told } from './messages.ts'
import { invitation, isEncrypted, placeOf, powerOf, type Room, STATE, update } from './rooms.ts'

/** Milliseconds that a homeserver waits for an event, that it shows typing, and of a request that belongs to no turn. */
const [WAIT, TYPING, TIMEOUT] = [30_000, 20_000, 10_000]
/** Reactions of which the bot knows what was reacted to when they are taken back. */
const REMEMBERED = 1_000
/** Rights of an admin and of a moderator. */
const [ADMIN, MODERATOR] = [100, 50]
const NOTHING = { types: [] }
const FILTER = JSON.stringify({
  presence: NOTHING,
  account_data: NOTHING,
  room: {
    account_data: NOTHING,
    ephemeral: NOTHING,
    state: { types: STATE },
    timeline: { types: [...STATE, ...MESSAGES, 'm.reaction', 'm.room.redaction'], limit: 100 },
  },
})
const UNREADABLE = 'The bot cannot read encrypted rooms. Invite it to a room without encryption.'

export function createPlatform(ctx: PlatformContext, { homeserver, token, invites }: MatrixOptions): Platform {
  const { clock, log } = ctx
  const call = createCalls({ homeserver, token })
  const filesUrl = `${homeserver}/_matrix/client/v1/media/download/`
  const rooms = new Map<string, Room>()
  const reactions = new RecentMap<{ readonly to: string; readonly emoji: string; readonly by: string }>(REMEMBERED)
  const connection = keepConnected(ctx, listen)
  let since: string | undefined
  let me: Person = { id: '', name: ctx.bot.name }
  const { history, find, message } = createHistory(call, (channel, event) => incoming(event, roomOf(channel), filesUrl))

  // ------------------------------------------------------------ what the bot is told

  function roomOf(id: string): Room {
    const room = rooms.get(id) ?? { id, state: new Map(), members: new Map() }
    rooms.set(id, room)
    return room
  }

  async function takeRoom(id: string, joined: IJoinedRoom, isFirst: boolean): Promise<void> {
    // More has happened than one batch can hold.
    const isCut = joined.timeline.limited && !isFirst && rooms.has(id)
    const catchUp = isCut ? await ctx.trackPosition('matrix', ({ channel }) => channel === id) : undefined
    const room = roomOf(id)
    const isRenamed = update(room, joined)
    if (isEncrypted(room)) return takeEvent(ctx, () => leave(id, UNREADABLE))
    // What was written before the start is read as history.
    if (isFirst) return
    await catchUp?.()
    if (isRenamed) await ctx.describe(placeOf(room))
    // What was written before the bot was invited is none of its business.
    const begin = joined.timeline.events.findIndex(event => isEntry(event, me.id))
    for (const event of joined.timeline.events.slice(begin + 1)) await takeEvent(ctx, () => take(room, told(event)))
  }

  async function take(room: Room, event: Told): Promise<void> {
    const { type, event_id: id, sender: by, content } = event
    const { rel_type: relation, event_id: to, key: emoji } = content['m.relates_to']
    if (type === 'm.room.redaction') await takeRedaction(room, content.redacts ?? '')
    else if (type === 'm.reaction' && to !== undefined && emoji !== undefined && by !== me.id) {
      reactions.set(id, { to, emoji, by })
      await ctx.reaction(placeOf(room), to, { emoji, by })
    } else if (!MESSAGES.includes(type) || event.isRedacted) return
    else if (relation === 'm.replace') await takeEdit(room, event, to ?? '')
    else await takeMessage(ctx, platform, incoming(event, room, filesUrl))
  }

  async function takeRedaction(room: Room, target: string): Promise<void> {
    const reaction = reactions.get(target)
    if (!reaction) return ctx.remove(placeOf(room), target)
    const { to, emoji, by } = reaction
    await ctx.reaction(placeOf(room), to, { emoji, by, removed: true })
  }

  /** Anybody can send the edit of a message. It counts only by its author. */
  async function takeEdit(room: Room, event: Told, target: string): Promise<void> {
    const { 'm.new_content': now } = event.content
    if (!now || event.sender === me.id) return
    const before = await message({ ...placeOf(room), id: '' }, target, AbortSignal.timeout(TIMEOUT))
    if (before?.author.id === event.sender) await ctx.edit(before.conversation, target, saidIn(event, room, filesUrl, now))
  }

  async function takeInvitation(room: string, { invite_state: state }: IInvitedRoom): Promise<void> {
    const { from, isEncrypted: isUnreadable } = invitation(state, me.id)
    const isWanted = invites === 'everybody' || (invites === 'server' && serverOf(from) === serverOf(me.id))
    log.info(`invited by ${from}`, { room, accepted: isWanted && !isUnreadable })
    if (isUnreadable || !isWanted) await leave(room, isUnreadable ? UNREADABLE : undefined)
    else await call(AbortSignal.timeout(TIMEOUT), 'Post', ['rooms', room, 'join'], { body: {} })
  }

  async function leave(room: string, reason?: string): Promise<void> {
    if (reason !== undefined) log.warn(`left a room: ${reason}`, { room })
    rooms.delete(room)
    await call(AbortSignal.timeout(TIMEOUT), 'Post', ['rooms', room, 'leave'], { body: { reason } })
  }

  /** Batches are taken one after the other. A batch that cannot be taken is asked for again. */
  async function listen(connected: () => void, signal: AbortSignal): Promise<void> {
    for (;;) {
      const query = { since, timeout: since === undefined ? 0 : WAIT, filter: FILTER }
      const batch = await call<ISyncResponse>(signal, 'Get', ['sync'], { query, timeout: 2 * WAIT })
      const { join = {}, invite = {}, leave: left = {} } = (batch.rooms ?? {}) as Partial<ISyncResponse['rooms']>
      // Rooms do not wait for each other.
      await Promise.all([
        ...Object.entries(join).map(([id, room]) => takeRoom(id, room, since === undefined)),
        ...Object.entries(invite).map(([id, room]) => takeEvent(ctx, () => takeInvitation(id, room))),
      ])
      for (const id of Object.keys(left)) rooms.delete(id)
      since = batch.next_batch
      connected()
    }
  }

  // ------------------------------------------------------------ what the bot does

  async function send(channel: string, type: string, content: object, nonce: string, signal: AbortSignal): Promise<string> {
    const path = ['rooms', channel, 'send', type, nonce]
    const { event_id: id } = await call<{ readonly event_id: string }>(signal, 'Put', path, { body: content })
    return id
  }

  async function open(body: object, signal: AbortSignal): Promise<string> {
    return (await call<{ readonly room_id: string }>(signal, 'Post', ['createRoom'], { body })).room_id
  }

  const platform: Platform = {
    name: 'matrix',
    get me() {
      return me
    },
    limits: { textLength: 16_000 },
    idempotent: true,

    async start(signal) {
      me = await accountOf(call, signal)
      const catchUp = await ctx.trackPosition('matrix')
      await connection.start(signal)
      await catchUp()
    },

    unready: connection.unready,
    find,
    history,
    message,
    channels: async () => [...rooms.values()].map(room => placeOf(room)),

    async send({ channel, thread }, { text, replyTo, nonce, notify }, signal) {
      const answered = replyTo ?? thread
      const relation = {
        ...(thread !== undefined && { rel_type: 'm.thread', event_id: thread, is_falling_back: replyTo === undefined }),
        ...(answered !== undefined && { 'm.in_reply_to': { event_id: answered } }),
      }
      const content = { ...worded(text, notify), ...(answered !== undefined && { 'm.relates_to': relation }) }
      return { id: await send(channel, 'm.room.message', content, nonce, signal) }
    },

    async direct(_room, { id, name }, signal) {
      const places = Array.from(rooms.values(), room => ({ ...placeOf(room), isWith: room.members.has(id) }))
      const known = places.find(({ visibility, isWith }) => visibility === 'direct' && isWith)
      const body = { preset: 'trusted_private_chat', is_direct: true, invite: [id] }
      const { isWith: _, ...place } = known ?? { isWith: true, ...placeOf(roomOf(await open(body, signal))) }
      return { ...place, workspace: '', name, visibility: 'direct' }
    },

    async edit(conversation, id, { text }, signal) {
      if (!(await message(conversation, id, signal))) return false
      const relation = { rel_type: 'm.replace', event_id: id }
      const content = { ...worded(`* ${text}`), 'm.new_content': worded(text), 'm.relates_to': relation }
      await send(conversation.channel, 'm.room.message', content, randomUUID(), signal)
      return true
    },

    async delete({ channel }, id, signal) {
      await call(signal, 'Put', ['rooms', channel, 'redact', id, randomUUID()], { body: {} })
    },

    async react({ channel }, id, emoji, signal) {
      const content = { 'm.relates_to': { rel_type: 'm.annotation', event_id: id, key: emoji } }
      await send(channel, 'm.reaction', content, randomUUID(), signal)
    },

    typing({ channel }, signal) {
      const show = (typing: boolean, inTime: AbortSignal) =>
        call(inTime, 'Put', ['rooms', channel, 'typing', me.id], { body: { typing, timeout: TYPING } })
      const end = keepTyping(clock, TYPING / 2, () => show(true, signal), signal)
      return () => {
        end()
        show(false, AbortSignal.timeout(TIMEOUT)).catch(() => {})
      }
    },

    membership({ channel, visibility }, { id }) {
      const room = roomOf(channel)
      if (visibility === 'direct' || !room.members.get(id)?.isJoined) return undefined
      const power = powerOf(room, id)
      const rank = power > ADMIN ? 'owner' : power === ADMIN ? 'admin' : 'member'
      return { rank, roles: () => (power >= MODERATOR ? [{ id: 'moderator', names: ['moderator'] }] : []) }
    },

    async fetchAttachment({ url }, signal) {
      if (!url.startsWith(filesUrl)) throw new KikimimiError('ATTACHMENT_REFUSED', 'it is not a file of the homeserver')
      return fetch(url, { signal, headers: { authorization: `Bearer ${token}` } })
    },
  }
  return platform
}

/**
 * A text that pings no person but those to notify: https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions. Bots do not
 * answer notices. Of a notice no person is notified: the rule `.m.rule.suppress_notices` is before that of mentions.
 */
function worded(text: string, notify: Outgoing['notify'] = []) {
  if (notify.length === 0) return { msgtype: 'm.notice', body: text, 'm.mentions': {} }
  const pieces = withMentions(text, notify)
  const html = pieces.map(piece =>
    typeof piece === 'string'
      ? escaped(piece)
      : `<a href="https://matrix.to/#/${encodeURIComponent(piece.id)}">${escaped(piece.name)}</a>`,
  )
  return {
    msgtype: 'm.text',
    body: pieces.map(piece => (typeof piece === 'string' ? piece : piece.name)).join(''),
    format: 'org.matrix.custom.html',
    formatted_body: html.join(''),
    'm.mentions': { user_ids: notify.map(({ id }) => id) },
  }
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '<br/>' }
const escaped = (text: string) => text.replace(/[&<>"\n]/g, sign => SIGNS[sign] ?? sign)

const serverOf = (id: string) => id.slice(id.indexOf(':'))

/** Whether the bot is invited or joins by this event. */
function isEntry({ type, content, unsigned, ...event }: IRoomEvent, me: string): boolean {
  return (
    type === 'm.room.member' && 'state_key' in event && event.state_key === me && unsigned?.prev_content?.membership !== 'join'
  )
}
