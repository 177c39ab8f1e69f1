import type { ChatCommand, CommandCall, Conversation, Platform, PluginHooks } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { ago, texts } from '../../base/text/core-texts.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Budget } from '../../models/budget.ts'
import type { Store } from '../../storage/store/store.ts'
import type { EmergencyStop } from '../stop/emergency-stop.ts'

export interface StatusOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'loadTurn'>
  readonly platforms: ReadonlyMap<string, Platform>
  /** The status lines of plugins. */
  statuses(): readonly NonNullable<PluginHooks['status']>[]
  /** The name of the slash command. */
  name(): string
  readonly stop: EmergencyStop
  /** Whether the bot sheds messages now. */
  isOverloaded(): boolean
  /** Whether the bot listens in a conversation. */
  hears(conversation: Conversation): boolean
  budget(): Budget | undefined
  /** The names of the bot's models. */
  models(): readonly string[]
}

/** Milliseconds for one line: the status must come while parts of the bot hang. */
const PATIENCE = 2_000

export function statusCommand(options: StatusOptions): ChatCommand {
  const { clock, platforms, store, statuses, name, hears: hearsIn, isOverloaded, stop, budget, models } = options
  const late = () => new Error('no answer in time')
  const inTime = <T>(run: () => Awaitable<T>) => withTimeout({ clock, ms: PATIENCE, late }, async () => run())

  async function hears({ conversation, locale, signal }: CommandCall): Promise<string> {
    const say = texts(locale)
    if (!hearsIn(conversation) || !(await isIn(conversation, signal))) return say('status.hearsNot')
    return conversation.visibility === 'direct' ? say('status.hearsAlone') : say('status.hears', { channel: conversation.name })
  }

  /** A platform that does not list its channels, or not in time, counts as connected to this channel. */
  async function isIn({ platform, channel, visibility }: Conversation, signal: AbortSignal): Promise<boolean> {
    if (visibility === 'direct') return true
    try {
      const { channels } = platforms.get(platform) ?? {}
      const all = await inTime(async () => channels?.(signal))
      return !all || all.some(one => one.channel === channel)
    } catch {
      return true
    }
  }

  function isStopped({ conversation, locale, at }: CommandCall): string | undefined {
    const stopped = stop.of(conversation)
    if (!stopped) return undefined
    const say = texts(locale)
    const values = { by: stopped.by.name, ago: ago(at.getTime() - stopped.at.getTime(), locale), name: name() }
    const line = say(values.by ? 'status.stoppedBy' : 'status.stopped', values)
    return stopped.isWritten ? line : `${line} ${say('status.unwritten')}`
  }

  async function spoke({ conversation, locale, at }: CommandCall): Promise<string> {
    const { lastReplyAt } = (await store.loadTurn(conversation.id, 1, at)) ?? {}
    const say = texts(locale)
    if (!lastReplyAt) return say('status.spokeNever')
    return say('status.spoke', { ago: ago(at.getTime() - lastReplyAt.getTime(), locale) })
  }

  async function spent({ conversation, locale }: CommandCall): Promise<string | undefined> {
    const left = await budget()?.left(conversation)
    return left === undefined ? undefined : texts(locale)('status.budget', { percent: Math.floor(100 * left) })
  }

  return {
    name: 'status',
    names: texts.all('command.status.name'),
    does: texts.all('command.status'),
    permission: 'everyone',
    access: 'always',
    async run(call) {
      const { conversation, locale } = call
      const say = texts(locale)
      const isAway = platforms.get(conversation.platform)?.unready?.() !== undefined
      const named = models().filter(model => model !== 'offline')
      const [heard, ofPlugins, ofKernel] = await Promise.all([
        hears(call),
        Promise.all(statuses().map(status => inTime(() => status(call)).catch(() => undefined))),
        Promise.all([inTime(() => spent(call)), inTime(() => spoke(call))]).catch(() => [say('status.databaseAway')]),
      ])
      const lines = [
        isStopped(call),
        heard,
        ...ofPlugins,
        say(isAway ? 'status.notConnected' : 'status.connected'),
        isOverloaded() ? say('status.overloaded') : undefined,
        named.length > 0 ? say('status.models', { models: named.join(', ') }) : say('status.offline'),
        ...ofKernel,
      ]
      return lines.filter(line => typeof line === 'string').join('\n')
    },
  }
}
