import type { Awaitable, ChatCommand, CommandCall, Conversation } from '../../api/plugin.ts'
import { ago, texts } from '../../base/core-texts.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Kernel } from '../../kernel/host/plugin-context.ts'
import { hearsIn, type Listen } from '../../kernel/turns/listen.ts'
import type { Budget } from '../../models/budget.ts'
import type { EmergencyStop } from '../stop/emergency-stop.ts'

export interface StatusOptions {
  readonly kernel: Pick<Kernel, 'clock' | 'platforms' | 'store' | 'statuses'>
  /** Of the slash command. */
  name(): string
  readonly halt: EmergencyStop
  listen(): Listen
  budget(): Budget | undefined
  /** Names of the models that the bot has. */
  models(): readonly string[]
}

/** Milliseconds for one line: status answers while half of the bot does not. */
const PATIENCE = 2_000

export function statusCommand({ kernel, name, listen, halt, budget, models }: StatusOptions): ChatCommand {
  const { clock, platforms, store, statuses } = kernel
  const late = () => new Error('no answer in time')
  const inTime = <T>(run: () => Awaitable<T>) => withTimeout({ clock, ms: PATIENCE, late }, async () => run())

  async function hears({ conversation, locale, signal }: CommandCall): Promise<string> {
    const say = texts(locale)
    if (!hearsIn(conversation, listen()) || !(await isIn(conversation, signal))) return say('status.hearsNot')
    return conversation.visibility === 'direct' ? say('status.hearsAlone') : say('status.hears', { channel: conversation.name })
  }

  /** Where the platform does not say in which channels the bot is, or not in time, it is in this one. */
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
    const stop = halt.of(conversation)
    if (!stop) return undefined
    const say = texts(locale)
    const values = { by: stop.by.name, ago: ago(at.getTime() - stop.at.getTime(), locale), name: name() }
    const stopped = say(values.by ? 'status.stoppedBy' : 'status.stopped', values)
    return stop.isWritten ? stopped : `${stopped} ${say('status.unwritten')}`
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
    does: texts.all('command.status'),
    permission: 'everyone',
    async run(call) {
      const { conversation, locale } = call
      const say = texts(locale)
      const isAway = platforms.get(conversation.platform)?.unready?.() !== undefined
      const named = models().filter(model => model !== 'offline')
      const [heard, ofPlugins, ofKernel] = await Promise.all([
        hears(call),
        Promise.all(statuses.map(status => inTime(() => status(call)).catch(() => undefined))),
        Promise.all([inTime(() => spent(call)), inTime(() => spoke(call))]).catch(() => [say('status.databaseAway')]),
      ])
      const lines = [
        isStopped(call),
        heard,
        ...ofPlugins,
        say(isAway ? 'status.notConnected' : 'status.connected'),
        named.length > 0 ? say('status.models', { models: named.join(', ') }) : say('status.offline'),
        ...ofKernel,
      ]
      return lines.filter(line => typeof line === 'string').join('\n')
    },
  }
}
