/** The operator of a running bot, put together from its parts. */
import type { Replays } from '../../packages/replay/replays.ts'
import { type Conversation, channelOf, type ExplainedOption, type Operator } from '../api/index.ts'
import { KikimimiError } from '../base/errors.ts'
import type { Kernel } from '../kernel/host/plugin-context.ts'

export function createOperator(kernel: Kernel): Operator {
  const { optionsFor, table, secrets, upcoming } = kernel

  function replays(): Replays {
    if (kernel.replays) return kernel.replays
    throw new KikimimiError('SETUP_FAILED', 'A plugin wants to replay something during setup. Do it once the bot runs.')
  }

  function explain(conversation: Conversation): readonly ExplainedOption[] {
    const place = channelOf(conversation)
    return Array.from(optionsFor, ([plugin, options]) => options.explain(conversation, table.in(place, plugin), secrets)).flat()
  }

  return {
    get plugins() {
      return kernel.plugins()
    },
    get breakers() {
      return kernel.breakers()
    },
    spending: () => kernel.spending(),
    upcoming,
    explain,
    replay: async request => replays().replay(request),
    tunable(conversation) {
      const { plugins, pace } = replays().tunable(conversation)
      return [...pace, ...explain(conversation).filter(({ plugin }) => plugins.includes(plugin))]
    },
  }
}
