/** Passes the lines of a chat log to a bot on a virtual clock. */

import { setImmediate } from 'node:timers/promises'
import { type Bot, type Conversation, conversationId, type IncomingMessage } from 'kikimimi'
import type { VirtualClock } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import type { ChatLog, LogLine } from './logs/chat-log.ts'

/** The time after the last line: long enough for every wait and delay. */
const AFTERWARDS = 60 * 60_000

export interface Replaying {
  readonly bot: Bot
  readonly clock: VirtualClock
  readonly platform: Platform
  readonly log: ChatLog
  /** Whether the bot sees which message a line answers. */
  readonly seesReplies: boolean
  /** The time of the first line. */
  readonly start: number
}

/** Passes the line to the bot. False when the bot dropped it or knew it already. */
export async function say(line: LogLine, on: Replaying): Promise<boolean> {
  const { bot, platform } = on
  if (line.author.id === platform.me.id && !on.seesReplies) await judgeNow(line, on)
  const isNew = await whenDone(bot.receive(platform, toMessage(line, on)), on)
  await settled(bot)
  return isNew
}

/**
 * The member's own line ends the batch before it. Otherwise the bot would see the real answer of the member before it judges the
 * messages that were answered, and what people reply to that answer would give it credit for them.
 */
async function judgeNow(line: LogLine, on: Replaying): Promise<void> {
  const { bot, clock } = on
  const conversation = conversationId(placeOf(line, on))
  await bot.turns.schedule(conversation, { at: clock.now(), vary: 0 }, 'instead')
  await clock.advance(clock.now(), { settle: () => settled(bot) })
}

function placeOf(line: LogLine, { log }: Replaying): Omit<Conversation, 'id'> {
  const { channel } = line
  return log.conversation?.(line) ?? { platform: 'replay', workspace: '', channel, name: channel, visibility: 'public' }
}

/** A line that is out of order is passed in its turn: time does not run backwards. */
export async function passUntil(at: Date, { bot, clock }: Replaying): Promise<void> {
  await clock.advance(Math.max(clock.now(), at.getTime()), { settle: () => settled(bot) })
}

/** Advances time after the last line. */
export async function passOn({ bot, clock }: Replaying): Promise<void> {
  await clock.advance(clock.now() + AFTERWARDS, { settle: () => settled(bot) })
}

function toMessage(line: LogLine, on: Replaying): IncomingMessage {
  const { platform, seesReplies } = on
  const { id, at, author, text, mentions, replyTo } = line
  const { me } = platform
  const [answered] = seesReplies ? replyTo : []
  return {
    id,
    conversation: placeOf(line, on),
    author: { id: author.id, name: author.name, ...(author.bot && { bot: true }) },
    text,
    at,
    mentions: mentions.map(person => (person === me.id || person === me.name ? me : { id: person, name: person })),
    ...(answered !== undefined && { replyTo: { id: answered } }),
  }
}

/** Number of passes of the event loop after which unfinished work counts as waiting for time. */
const QUIET = 20

/** Waits until no work runs, or the running work waits for the clock. */
async function settled({ jobs, turns }: Bot): Promise<void> {
  for (let quiet = 0; quiet < QUIET; quiet++) {
    const [work, turn] = [await jobs.state(), await turns.state()]
    if (work.due + work.active + turn.due + turn.active === 0) return
    await setImmediate()
  }
}

/** Waits for work that can hang in a plugin: time advances to its deadline. */
export async function whenDone<T>(wanted: Promise<T>, { bot, clock }: Pick<Replaying, 'bot' | 'clock'>): Promise<T> {
  let done = false
  const end = () => {
    done = true
  }
  wanted.then(end, end)
  for (;;) {
    for (let quiet = 0; quiet < QUIET && !done; quiet++) await setImmediate()
    if (done) return wanted
    await clock.advance(clock.now() + 1_000, { settle: () => settled(bot) })
  }
}
