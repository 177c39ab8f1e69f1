/** The state of a room, and its changes by events. */

/**
 * @typedef {import('../../history/views.ts').MessageView} Message
 * @typedef {import('../../history/views.ts').TurnView} Turn
 * @typedef {import('../../history/views.ts').FeedEvent} FeedEvent
 * @typedef {{ conversation: string, messages: readonly Message[], turns: readonly Turn[], typing: readonly string[] }} Room
 * `conversation`: id of the channel. Messages include those of its threads, oldest first; turns are newest first.
 */

/** Limits the memory of a page that stays open for days. */
const MESSAGES = 500
const TURNS = 500

/** @type {Room} */
export const nothing = { conversation: '', messages: [], turns: [], typing: [] }

/**
 * @param {Room} room
 * @param {FeedEvent | { type: 'read', room: Omit<Room, 'typing'> } | { type: 'left' }} event
 * @returns {Room}
 */
export function next(room, event) {
  if (event.type === 'left') return nothing
  if (event.type === 'read') return { ...event.room, typing: [] }
  // They have no place, or one that is unknown.
  if (event.type === 'dropped' || event.type === 'log') return room
  const conversation = conversationOf(event)
  if (conversation !== room.conversation && !conversation.startsWith(`${room.conversation}/`)) return room
  switch (event.type) {
    case 'message':
      return { ...room, messages: placed(room.messages, event.message) }
    case 'turn': {
      const { turn } = event
      const rest = room.turns.filter(({ trace }) => trace.turn !== turn.trace.turn)
      const typing = room.typing.filter(where => where !== conversation)
      return { ...room, messages: withThose(room.messages, turn), turns: [turn, ...rest].slice(0, TURNS), typing }
    }
    case 'typing': {
      const others = room.typing.filter(where => where !== conversation)
      return { ...room, typing: event.on ? [...others, conversation] : others }
    }
    case 'removed':
      return { ...room, messages: room.messages.filter(({ id }) => id !== event.message) }
    case 'edited':
      return changed(room, event.message, { text: event.text, edited: true })
    case 'reactions':
      return changed(room, event.message, { reactions: event.reactions })
  }
}

/**
 * Ordered by time, because an answer may arrive before its question. @param {readonly Message[]} messages @param {Message}
 * message
 */
function placed(messages, message) {
  const others = messages.filter(({ id }) => id !== message.id)
  const before = others.findLastIndex(({ at }) => at <= message.at) + 1
  return [...others.slice(0, before), message, ...others.slice(before)].slice(-MESSAGES)
}

/**
 * Messages that another process has received or sent arrive only with the turn. @param {readonly Message[]} messages @param
 * {Turn} turn
 */
function withThose(messages, turn) {
  const known = new Set(messages.map(({ id }) => id))
  const others = [...turn.messages, ...turn.said].filter(({ id, deleted }) => !deleted && !known.has(id))
  return others.reduce(placed, messages)
}

/** @param {Exclude<FeedEvent, { type: 'dropped' | 'log' }>} event */
function conversationOf(event) {
  if (event.type === 'message') return event.place.conversation
  return event.type === 'turn' ? event.turn.place.conversation : event.conversation
}

/** @param {Room} room @param {string} message @param {Partial<Message>} change */
function changed(room, message, change) {
  return { ...room, messages: room.messages.map(one => (one.id === message ? { ...one, ...change } : one)) }
}

/**
 * The latest turn of each message, shown beside the last message of the turn.
 *
 * @param {readonly Turn[]} turns newest first
 * @returns {{ told: ReadonlyMap<string, Turn>, judged: ReadonlySet<string> }}
 */
export function verdicts(turns) {
  /** @type {Map<string, Turn>} */
  const told = new Map()
  /** @type {Set<string>} */
  const judged = new Set()
  for (const turn of turns) {
    const last = turn.trace.messages.at(-1)
    if (last !== undefined && !judged.has(last)) told.set(last, turn)
    for (const id of turn.trace.messages) judged.add(id)
  }
  return { told, judged }
}

/**
 * The messages of the room itself, and the number of replies in threads.
 *
 * @param {readonly Message[]} messages
 * @param {string | undefined} thread the open thread, if any
 */
export function shownIn(messages, thread) {
  /** @type {Map<string, number>} */
  const threads = new Map()
  for (const { thread } of messages) if (thread !== undefined) threads.set(thread, (threads.get(thread) ?? 0) + 1)
  const here = messages.filter(one =>
    thread === undefined ? one.thread === undefined : one.thread === thread || one.id === thread,
  )
  return { here, threads }
}
