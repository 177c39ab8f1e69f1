/** The state of the live page. Its size is limited, even if the page stays open for days. */

/**
 * @typedef {import('../../history/views.ts').TurnView} Turn
 * @typedef {import('../../history/views.ts').DropView} Drop
 * @typedef {import('../../history/views.ts').FeedEvent} FeedEvent
 * @typedef {Extract<FeedEvent, { type: 'message' }>} Heard
 * @typedef {{ turns: readonly Turn[] | undefined, heard: readonly Heard[], drops: readonly Drop[], kept: number, more: boolean }} Live
 * Newest first. `heard`: not judged yet; `kept`: maximum number of turns; `more`: whether there are earlier ones.
 */

/** Number of turns. The user can load earlier ones, up to `MOST`. */
export const KEPT = 300
export const MOST = 1_000
export const PAGE = 50
const HEARD = 5
const DROPS = 100

/** @type {Live} */
export const nothing = { turns: undefined, heard: [], drops: [], kept: KEPT, more: false }

/**
 * `known`: time of the latest turn before the request.
 *
 * @param {Live} live
 * @param {{ type: 'read', known: string, turns: readonly Turn[], drops: readonly Drop[] } | { type: 'earlier', turns: readonly Turn[] } | { type: 'happened', events: readonly FeedEvent[] }} event
 * @returns {Live}
 */
export function next(live, event) {
  const { turns: had = [] } = live
  if (event.type === 'read') {
    const oldest = event.turns.at(-1)?.trace.at ?? ''
    // More turns were missed than a page holds. Earlier ones are dropped, because there would be a gap.
    const reaches = event.turns.length < PAGE || oldest <= event.known
    const rest = reaches ? had : had.filter(({ trace }) => trace.at >= oldest)
    const all = merged([...rest, ...event.turns], MOST)
    const isBegun = live.turns !== undefined && reaches
    const more = isBegun ? live.more || all.length > live.kept : event.turns.length === PAGE
    return { ...live, turns: all.slice(0, live.kept), drops: event.drops.slice(0, DROPS), more }
  }
  if (event.type === 'earlier') {
    const all = merged([...event.turns, ...had], MOST)
    return { ...live, turns: all, kept: Math.max(KEPT, all.length), more: event.turns.length === PAGE && all.length < MOST }
  }
  const { events } = event
  const turns = events.flatMap(one => (one.type === 'turn' ? one.turn : []))
  const all = merged([...had, ...turns], live.kept)
  const heard = events.filter(one => one.type === 'message').filter(({ message }) => !message.own)
  return {
    ...live,
    turns: live.turns || all.length > 0 ? all : undefined,
    heard: unjudged([...heard.toReversed(), ...live.heard], all).slice(0, HEARD),
    drops: counted(
      events.flatMap(one => (one.type === 'dropped' ? one.drops : [])),
      live.drops,
    ),
    more: live.more || had.length + turns.length > live.kept,
  }
}

/** Of duplicates, the later one counts. @param {readonly Turn[]} turns @param {number} most */
function merged(turns, most) {
  return [...new Map(turns.map(turn => [turn.trace.turn, turn])).values()]
    .sort((a, b) => (a.trace.at < b.trace.at ? 1 : a.trace.at > b.trace.at ? -1 : 0))
    .slice(0, most)
}

/** A message may arrive after its turn. @param {readonly Heard[]} heard @param {readonly Turn[]} turns */
function unjudged(heard, turns) {
  if (heard.length === 0) return heard
  const judged = new Set(turns.flatMap(({ trace }) => trace.messages))
  return heard.filter(({ message }) => !judged.has(message.id))
}

/** @param {readonly Drop[]} drops @param {readonly Drop[]} had */
function counted(drops, had) {
  if (drops.length === 0) return had
  const all = new Map([...had, ...drops].map(drop => [drop.id, drop]))
  return [...all.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, DROPS)
}

/**
 * Turns and drops in one list, newest first. Drops before the earliest shown turn are left out, because they belong further
 * down.
 *
 * @param {readonly Turn[]} turns
 * @param {readonly Drop[]} drops
 * @param {boolean} more whether there are earlier turns
 * @returns {readonly (Turn | Drop)[]}
 */
export function together(turns, drops, more) {
  const earliest = more ? (turns.at(-1)?.trace.at ?? '') : ''
  /** @type {(Turn | Drop)[]} */
  const all = []
  const rest = drops.filter(({ at }) => at >= earliest)
  for (const turn of turns) {
    while (rest[0] && rest[0].at > turn.trace.at) all.push(.../** @type {[Drop]} */ (rest.splice(0, 1)))
    all.push(turn)
  }
  return [...all, ...rest]
}
