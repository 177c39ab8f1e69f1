/** Which channel a name means. */
import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import { type Channels, type Conversation, channelOf, inChannel, type Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { allNear } from '../../base/text/nearest.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Store } from '../../storage/store/store.ts'

export interface FindOptions {
  readonly platforms: ReadonlyMap<string, Platform>
  readonly store: Pick<Store, 'heard'>
  readonly clock: Clock
}

/** Milliseconds a platform has for the list of its channels. */
const DEADLINE = 30_000
/** The number of recorded conversations among which a channel is found, those with the newest messages. */
const RECORDED = 5_000
/** The number of names in an error. */
const NAMES = 5

export async function findChannel(
  name: string,
  where: NonNullable<Parameters<Channels['find']>[1]>,
  options: FindOptions,
): Promise<Conversation> {
  const platforms = [...options.platforms.values()].filter(one => where.platform === undefined || one.name === where.platform)
  if (where.platform !== undefined && platforms.length === 0)
    throw new KikimimiError('PLATFORM_MISSING', `No plugin provides the platform "${where.platform}".`)
  const asked = await Promise.allSettled(platforms.map(platform => channelsOf(platform, options)))
  const channels = asked
    .flatMap(one => (one.status === 'fulfilled' ? one.value : []))
    .filter(({ workspace, details }) => [undefined, workspace, details?.workspaceName].includes(where.workspace))
  const byId = channels.filter(({ channel }) => channel === name)
  const found = byId.length > 0 ? byId : channels.filter(one => folded(one.name) === folded(name))
  const [channel, ...others] = found
  if (channel && others.length === 0) return channel
  if (channel) throw ambiguous(name, found)
  // The channel can be one of a platform that did not answer.
  const failed = asked.find(one => one.status === 'rejected')
  throw failed?.reason ?? missing(name, channels)
}

/** The channels that the platform lists now, and recorded ones of workspaces that it does not list, as those of other processes. */
async function channelsOf(platform: Platform, { store, clock }: FindOptions): Promise<readonly Conversation[]> {
  const late = () =>
    new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} did not list its channels in ${DEADLINE / 1_000} s.`)
  const told = await withTimeout({ clock, ms: DEADLINE, late }, async signal => platform.channels?.(signal))
  const listed = (told ?? []).map(sanitizeConversation)
  const workspaces = new Set(listed.map(({ workspace }) => workspace))
  const heard = (await store.heard(platform.name, RECORDED)).map(({ conversation }) => conversation)
  // Oldest first: of the threads of a channel, the newest has its present name.
  const recorded = heard.filter(({ workspace }) => !workspaces.has(workspace)).toReversed()
  const shared = [...listed.filter(isChannel), ...recorded].filter(({ visibility }) => visibility !== 'direct')
  // Channels last: what is known of a channel itself replaces what its threads tell.
  const ordered = [...shared.filter(one => !isChannel(one)), ...shared.filter(isChannel)]
  return [...new Map(ordered.map(one => [channelOf(one), inChannel(one)])).values()]
}

function isChannel({ thread }: Conversation): boolean {
  return thread === undefined
}

/** `#General` and `general` are one name. */
function folded(name: string): string {
  return name.normalize('NFKC').trim().replace(/^#/, '').toLowerCase()
}

function ambiguous(name: string, found: readonly Conversation[]): KikimimiError {
  const places = found.map(({ platform, workspace, channel, details }) => {
    const known = details?.workspaceName === undefined ? '' : ` (${details.workspaceName})`
    return `\n  - platform "${platform}", workspace "${workspace}"${known}, channel "${channel}"`
  })
  return new KikimimiError(
    'CHANNEL_AMBIGUOUS',
    `${found.length} channels have the name "${name}". Name the platform and the workspace too, or use the id of the channel:${places.join('')}`,
  )
}

function missing(name: string, channels: readonly Conversation[]): KikimimiError {
  const names = [...new Set(channels.map(one => folded(one.name)))]
  const near = allNear(folded(name), names).slice(0, NAMES)
  const listed = near.length > 0 ? near : names.toSorted().slice(0, NAMES)
  const more = near.length > 0 || names.length <= NAMES ? '' : `, and ${names.length - NAMES} more`
  const known =
    names.length === 0
      ? 'It can read none now. Look for channels when the bot runs, not in setup, and invite the bot to the channel'
      : `${near.length > 0 ? 'The nearest names' : 'The bot can read'}: ${listed.map(one => `#${one}`).join(', ')}${more}`
  return new KikimimiError('CHANNEL_MISSING', `There is no channel "${name}" that the bot can read. ${known}.`)
}
