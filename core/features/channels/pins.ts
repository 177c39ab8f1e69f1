/** The pinned messages of a channel, without those that the bot must not read. */
import { sanitizeConversation, sanitizeMessage } from '../../api/checks/sanitize.ts'
import { type Conversation, channelOf, type IncomingMessage, type Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { CurrentSettings } from '../../kernel/turns/turn-settings.ts'
import type { Store } from '../../storage/store/store.ts'

export interface PinsOptions {
  readonly platforms: ReadonlyMap<string, Platform>
  readonly store: Pick<Store, 'find' | 'known' | 'forgetting'>
  readonly settings: CurrentSettings
  readonly clock: Clock
}

/** Milliseconds a platform has for the pinned messages. */
const DEADLINE = 60_000

export async function pinsOf(
  conversation: Conversation,
  signal: AbortSignal,
  options: PinsOptions,
): Promise<readonly IncomingMessage[] | undefined> {
  const { platforms, clock } = options
  const platform = platforms.get(conversation.platform)
  if (!platform) throw new KikimimiError('PLATFORM_MISSING', `No plugin provides the platform "${conversation.platform}".`)
  if (!platform.pins) return undefined
  const late = () =>
    new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} did not list the pinned messages in ${DEADLINE / 1_000} s.`)
  const told = await withTimeout({ clock, ms: DEADLINE, late, signal }, async within => platform.pins?.(conversation, within))
  const me = (await platform.meIn?.(conversation)) ?? platform.me
  const given = (told ?? [])
    .map(sanitizeMessage)
    .filter(one => one.author.id !== me.id && channelOf(sanitizeConversation(one.conversation)) === channelOf(conversation))
  return allowed(given, conversation, signal, options)
}

/** Nothing that was recorded and then deleted, nothing of people who are left out, being forgotten or forgotten. */
async function allowed(
  given: readonly IncomingMessage[],
  conversation: Conversation,
  signal: AbortSignal,
  { store, settings, clock }: PinsOptions,
): Promise<readonly IncomingMessage[]> {
  if (given.length === 0) return []
  const ids = given.map(({ id }) => id)
  const authors = given.map(({ author }) => author.id)
  const [erased, known, there] = await Promise.all([
    store.forgetting.erased(conversation.platform, authors),
    store.known(conversation, ids),
    store.find(conversation, ids),
  ])
  const present = new Set(there.flatMap(({ id, leftOut }) => (leftOut ? [] : [id])))
  const { ignores, pipeline } = settings.current.turns
  const wanted = given.map(async message => {
    const { id, at, author } = message
    const until = erased.get(author.id)
    if ((until && at < until) || (known.has(id) && !present.has(id))) return []
    // A person has pinned what another bot said, so it is heard.
    const { bot: _, ...person } = author
    const sanitized = sanitizeConversation(message.conversation)
    if (ignores({ ...message, author: person }, sanitized) !== undefined) return []
    const now = { ...message, at: new Date(clock.now()) }
    return (await pipeline.filter(now, signal)) === undefined ? [message] : []
  })
  return (await Promise.all(wanted)).flat()
}
