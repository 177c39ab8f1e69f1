/** The options of the plugins of kikimimi that have no effect in a configuration, and those that have one. */
import attention from '@kikimimi/attention'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import type { ModelConfig, PluginEntry } from 'kikimimi'
import { loadPlugins, unusedOptions } from 'kikimimi/host'
import { scriptedModel } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const chat = scriptedModel('yes')

interface Row {
  readonly option: string
  readonly bot: readonly PluginEntry[]
  readonly models?: ModelConfig
  /** Nothing: it has an effect. */
  readonly why?: string
}

const rows: readonly Row[] = [
  { option: 'judge-rules.cooldown', bot: [judgeRules()], why: 'preset "attentive" does not read it' },
  { option: 'judge-rules.unasked', bot: [judgeRules()] },
  { option: 'judge-rules.unasked', bot: [judgeRules({ points: { enough: 0 } })], why: 'points.enough is 0' },
  { option: 'judge-rules.unasked', bot: [judgeRules({ preset: 'classic' })], why: 'preset "classic" does not read it' },
  { option: 'judge-rules.cooldown', bot: [judgeRules({ preset: 'classic' })] },
  {
    option: 'judge-rules.cooldown',
    bot: [judgeRules({ preset: 'classic', points: { cooldown: 0 } })],
    why: 'points.cooldown is 0',
  },
  { option: 'judge-rules.keywords', bot: [judgeRules()] },
  { option: 'judge-rules.keywords', bot: [judgeRules({ points: { keyword: 0 } })], why: 'points.keyword is 0' },
  { option: 'judge-rules.knownTopics', bot: [judgeRules({ points: { topic: 0 } })], why: 'points.topic is 0' },
  {
    option: 'judge-rules.points.engaged',
    bot: [judgeRules({ points: { engaged: 9 } })],
    why: 'preset "attentive" has no rule "engaged"',
  },
  { option: 'judge-rules.points.question', bot: [judgeRules({ points: { question: 9 } })] },
  { option: 'judge-rules.engagement', bot: [judgeRules()], why: 'preset "attentive" does not read it without diversity' },
  { option: 'judge-rules.engagement.duration', bot: [judgeRules({ diversity: true })] },
  { option: 'judge-rules.reactFrom', bot: [judgeRules({ reactFrom: 59 })] },
  {
    option: 'judge-rules.reactFrom',
    bot: [judgeRules({ reactFrom: 60 })],
    why: 'the bot answers from the threshold of 60 points on',
  },
  { option: 'judge-rules.reactFrom', bot: [judgeRules({ reactFrom: 20 }), judgeLlm()] },
  { option: 'judge-rules.reactFrom', bot: [judgeRules({ reactFrom: 21 }), judgeLlm()], why: 'judge-llm decides above 20 points' },
  { option: 'judge-rules.diversity', bot: [judgeRules({ diversity: true }), judgeLlm()] },
  {
    option: 'judge-rules.diversity',
    bot: [judgeRules({ diversity: true }), judgeLlm({ styles: ['full', 'react'] })],
    why: 'judge-llm chooses the form, by its option styles',
  },
  {
    option: 'judge-rules.diversity',
    bot: [attention(), judgeRules({ preset: 'attention', diversity: true }), judgeLlm({ styles: ['full', 'react'] })],
  },
  {
    option: 'judge-llm.high',
    bot: [judgeRules(), judgeLlm()],
    why: 'only points of the preset "attention" of judge-rules mean a probability of 90 %',
  },
  { option: 'judge-llm.high', bot: [attention(), judgeRules({ preset: 'attention' }), judgeLlm()] },
  { option: 'judge-llm.low', bot: [judgeRules(), judgeLlm()] },
  { option: 'attention.learn', bot: [attention(), judgeRules()], why: 'judge-rules does not have the preset "attention"' },
  { option: 'attention.weights', bot: [attention()], why: 'judge-rules does not have the preset "attention"' },
  { option: 'attention.learn', bot: [attention(), judgeRules({ preset: 'attention' })] },
  { option: 'eavesdrop.every', bot: [eavesdrop()], why: 'channels is empty, so the plugin is active nowhere' },
  { option: 'eavesdrop.wait.time', bot: [eavesdrop()], why: 'channels is empty, so the plugin is active nowhere' },
  { option: 'eavesdrop.channels', bot: [eavesdrop()] },
  { option: 'eavesdrop.every', bot: [eavesdrop({ channels: ['dev'] })] },
  {
    option: 'eavesdrop.every',
    bot: [eavesdrop({ channels: ['dev'], signs: false })],
    why: 'without signs the model is asked whenever people have written',
  },
  { option: 'eavesdrop.maxPerHour', bot: [eavesdrop({ channels: ['dev'], minInterval: '20m' })] },
  {
    option: 'eavesdrop.maxPerHour',
    bot: [eavesdrop({ channels: ['dev'], minInterval: '21m' })],
    why: 'minInterval allows fewer in an hour',
  },
  {
    option: 'eavesdrop.wait',
    bot: [eavesdrop({ channels: ['dev'], wait: { messages: [0, 0] } })],
    why: 'wait.time: wait.messages waits for no message',
  },
  { option: 'eavesdrop.wait.messages', bot: [eavesdrop({ channels: ['dev'], wait: { time: [0, 0] } })], why: 'wait.time is 0' },
  { option: 'eavesdrop.wait.messages', bot: [eavesdrop({ channels: ['dev'] })] },
  { option: 'proactive.perDay.channel', bot: [facts(), proactive()] },
  {
    option: 'proactive.perDay.channel',
    bot: [facts(), proactive({ perDay: { channel: 3, bot: 3 } })],
    why: 'perDay.bot allows only 3 in all channels',
  },
  { option: 'proactive.perDay.channel', bot: [facts(), proactive({ interval: '12h' })] },
  { option: 'proactive.perDay.channel', bot: [facts(), proactive({ interval: '13h' })], why: 'interval allows fewer in a day' },
  { option: 'reflection.profiles', bot: [facts(), reflection()], why: 'the bot does not have the plugin profiles' },
  { option: 'reflection.profiles', bot: [facts(), profiles(), reflection()] },
  { option: 'reflection.instructions', bot: [facts(), reflection()], why: 'the offline model follows no instruction' },
  { option: 'reflection.instructions', bot: [facts(), reflection()], models: { plugins: { reflection: { reflection: chat } } } },
  { option: 'profiles.cards', bot: [profiles()], why: 'cards are made of facts, and the bot does not have the plugin facts' },
  { option: 'profiles.cards.modelCalls', bot: [facts(), profiles()] },
  { option: 'reply.instruction', bot: [reply()], why: 'the offline model follows no instruction' },
  { option: 'reply.instruction', bot: [reply()], models: { chat: offline() }, why: 'the offline model follows no instruction' },
  { option: 'reply.instruction', bot: [reply()], models: { chat } },
  { option: 'reply.instruction', bot: [reply()], models: { channels: { dev: { chat } } } },
  { option: 'reply.maxTokens', bot: [reply()] },
]

test.each(rows)('$option: $why', async ({ option, bot, models, why }) => {
  const plugins = await loadPlugins(bot)
  const plugin = plugins.find(({ name }) => option.startsWith(`${name}.`))
  if (!plugin) throw new Error(`no plugin has ${option}`)
  expect(
    unusedOptions(plugin, { plugins, models, persona: { name: 'kiki' } }, plugin.options)(option.slice(plugin.name.length + 1)),
  ).toBe(why)
})
