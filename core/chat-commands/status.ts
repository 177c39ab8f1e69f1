import type { Kernel } from '../app.ts'
import type { Budget } from '../budget.ts'
import { hearsIn, type Listen } from '../conversations/listen.ts'
import { within } from '../deadline.ts'
import type { Halt } from '../halt.ts'
import type { Awaitable, ChatCommand, CommandCall } from '../plugin.ts'
import { ago, WORDS } from './words.ts'

export interface StatusOptions {
  readonly kernel: Pick<Kernel, 'clock' | 'platforms' | 'store' | 'statuses'>
  /** Of the slash command. */
  name(): string
  readonly halt: Halt
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
  const inTime = async (line: () => Awaitable<string | void>) => within({ clock, ms: PATIENCE, late }, async () => line())

  function hears({ conversation, locale }: CommandCall): string {
    const words = WORDS[locale]
    if (!hearsIn(conversation, listen())) return words.hearsNot
    return conversation.visibility === 'direct' ? words.hearsAlone : words.hears(conversation.name)
  }

  function isStopped({ conversation, locale, at }: CommandCall): string | undefined {
    const words = WORDS[locale]
    const stop = halt.of(conversation)
    const since = stop && ago(at.getTime() - stop.at.getTime(), locale)
    return since && `${words.isStopped(stop.by.name, since, name())}${stop.isWritten ? '' : words.unwritten}`
  }

  async function spoke({ conversation, locale, at }: CommandCall): Promise<string> {
    const { lastReplyAt } = (await store.look(conversation.id, 1, at)) ?? {}
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
      const [ofPlugins, ofKernel] = await Promise.all([
        Promise.all(statuses.map(status => inTime(() => status(call)).catch(() => undefined))),
        Promise.all([inTime(() => spent(call)), inTime(() => spoke(call))]).catch(() => [words.databaseAway]),
      ])
      const lines = [
        isStopped(call),
        hears(call),
        ...ofPlugins,
        isAway ? words.notConnected : words.connected,
        named.length > 0 ? words.models(named.join(', ')) : words.offline,
        ...ofKernel,
      ]
      return lines.filter(line => typeof line === 'string').join('\n')
    },
  }
}
