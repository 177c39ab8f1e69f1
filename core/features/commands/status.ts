import type { Listen } from '../../api/config.ts'
import type { ChatCommand, CommandCall, Conversation } from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Kernel } from '../../kernel/host/plugin-context.ts'
import { hearsIn } from '../../kernel/turns/listen.ts'
import type { Budget } from '../../models/budget.ts'
import type { EmergencyStop } from '../stop/emergency-stop.ts'
import { ago, WORDS } from './words.ts'

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
    const words = WORDS[locale]
    if (!hearsIn(conversation, listen()) || !(await isIn(conversation, signal))) return words.hearsNot
    return conversation.visibility === 'direct' ? words.hearsAlone : words.hears(conversation.name)
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
    const words = WORDS[locale]
    const stop = halt.of(conversation)
    const since = stop && ago(at.getTime() - stop.at.getTime(), locale)
    return since && `${words.isStopped(stop.by.name, since, name())}${stop.isWritten ? '' : words.unwritten}`
  }

  async function spoke({ conversation, locale, at }: CommandCall): Promise<string> {
    const { lastReplyAt } = (await store.loadTurn(conversation.id, 1, at)) ?? {}
    const words = WORDS[locale]
    return lastReplyAt ? words.spoke(ago(at.getTime() - lastReplyAt.getTime(), locale)) : words.spokeNever
  }

  async function spent({ conversation, locale }: CommandCall): Promise<string | undefined> {
    const left = await budget()?.left(conversation)
    return left === undefined ? undefined : WORDS[locale].budget(Math.floor(100 * left))
  }

  return {
    name: 'status',
    does: {
      en: 'how I am: what I hear, whether I am quiet, when I last spoke',
      ja: '今の状態（聞いているか、静かにしているか、最後に話した時）',
    },
    permission: 'everyone',
    async run(call) {
      const { conversation, locale } = call
      const words = WORDS[locale]
      const isAway = platforms.get(conversation.platform)?.unready?.() !== undefined
      const named = models().filter(model => model !== 'offline')
      const [heard, ofPlugins, ofKernel] = await Promise.all([
        hears(call),
        Promise.all(statuses.map(status => inTime(() => status(call)).catch(() => undefined))),
        Promise.all([inTime(() => spent(call)), inTime(() => spoke(call))]).catch(() => [words.databaseAway]),
      ])
      const lines = [
        isStopped(call),
        heard,
        ...ofPlugins,
        isAway ? words.notConnected : words.connected,
        named.length > 0 ? words.models(named.join(', ')) : words.offline,
        ...ofKernel,
      ]
      return lines.filter(line => typeof line === 'string').join('\n')
    },
  }
}
