/** A bot for the tests of this plugin, and the verdicts of its model. */
import { definePlugin, type Locale, type PluginEntry } from 'kikimimi'
import { type ScriptedModel, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import judgeLlm from './index.ts'

export interface Setting {
  readonly points?: number
  readonly plugin?: PluginEntry
  readonly plugins?: readonly PluginEntry[]
  readonly locale?: Locale
  readonly project?: URL
}

/** A bot with a score of 50, in which only the judge decides to speak. */
export function kiki(
  model: ScriptedModel,
  { points = 50, plugin = judgeLlm(), plugins = [], locale = 'en', project }: Setting = {},
) {
  const scorer = definePlugin({ name: 'scorer', setup: () => ({ score: () => ({ points, why: 'test' }) }) })
  const next = definePlugin({
    name: 'next',
    setup: () => ({
      decide: ({ addressed }) => (addressed ? { kind: 'full', why: addressed } : { kind: 'silent', why: 'next' }),
      respond: (_turn, { kind }, { sections }) =>
        kind === 'react'
          ? { kind: 'reaction', emoji: '👍' }
          : { kind: 'text', text: [kind, ...sections.map(({ title }) => title)].join(': ') },
    }),
  })
  return testBot({
    persona: { name: 'kiki', prompt: 'You are kiki.' },
    plugins: [scorer, plugin, plugins, next],
    pacing: { minWait: '4s', jitter: 0 },
    ...{ model, locale },
    ...(project && { project }),
  })
}

/** Alice and bob say these lines in turn. Then the bot judges. */
export async function settledTalk(bot: TestBot, ...lines: readonly string[]): Promise<void> {
  for (const [index, line] of lines.entries()) await bot.say(index % 2 ? 'bob' : 'alice', line)
  await bot.pass('20s')
}

export function judge(...verdicts: readonly object[]): ScriptedModel {
  return scriptedModel(verdicts.map(value => ({ value })))
}

export function yes(more: object = {}): object {
  return { respond: true, reason: 'a question', confidence: 0.8, delaySeconds: null, ...more }
}

export function no(reason: string): object {
  return { respond: false, reason, confidence: 0.8, delaySeconds: null }
}
