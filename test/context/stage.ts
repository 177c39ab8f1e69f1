/** The bot of the situations. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import type { BotConfig, Plugin } from 'kikimimi'
import type { StageOptions } from './place.ts'

/** The whole bot, except memories: it answers by rules and with a scripted model. */
export function configOf(platform: Plugin, { model, plugins, minWait }: StageOptions): BotConfig {
  return {
    persona: { name: 'kiki', names: ['キキ'] },
    models: { chat: model },
    database: false,
    pacing: { minWait, maxWait: '10m', jitter: 0 },
    plugins: [platform, ...plugins, addressing(), judgeRules(), reply()],
  }
}
