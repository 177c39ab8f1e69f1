/** The bot of the situations. */
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import type { BotConfig, Plugin } from 'kikimimi'
import type { StageOptions } from './place.ts'

/** It answers calls only: nothing else is judged within the time of a test. */
export function configOf(platform: Plugin, { model, plugins }: StageOptions): BotConfig {
  return {
    persona: { name: 'kiki', names: ['キキ'] },
    models: { chat: model },
    database: false,
    pacing: { minWait: '10m', maxWait: '10m', jitter: 0 },
    plugins: [platform, ...plugins, judgeRules(), reply()],
  }
}
