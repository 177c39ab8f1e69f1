/** Runs scenes through a bot with the memory plugins, and checks what it knows after each. */
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import type { BotConfig } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import type { Scene } from './scenes.ts'

export interface Check {
  /** `holds: Kyoto` */
  readonly what: string
  readonly passed: boolean
}

export interface SceneResult extends Pick<Scene, 'name' | 'kind' | 'locale'> {
  readonly checks: readonly Check[]
  /** What the bot knows, history marked. */
  readonly known: readonly string[]
  readonly answer?: string
}

/** The messages of a scene are apart by this time, so that each is extracted with what was known before it. */
const APART = '3m'

/** A bot in memory, on a clock of its own, without the plugins of bot.config.ts. */
export async function evalScene(scene: Scene, { models, persona }: Pick<BotConfig, 'models' | 'persona'>): Promise<SceneResult> {
  const plugins = [judgeRules(), facts(), reflection({ lull: '1m', minMessages: 1 }), reply()]
  await using bot = await testBot({ plugins, persona, locale: scene.locale, ...(models && { models }) })
  for (const [author, text] of scene.talk) {
    await bot.say(author, text)
    await bot.pass(APART)
  }
  const { rows } = await bot.db.query<{ content: string; over: boolean }>(
    'select content, valid_to is not null as over from facts.fact order by item',
  )
  const says = (over: boolean, word: string) =>
    rows.some(row => row.over === over && row.content.toLowerCase().includes(word.toLowerCase()))
  const checks = [
    ...scene.holds.map(word => ({ what: `holds: ${word}`, passed: says(false, word) })),
    ...scene.over.map(word => ({ what: `over: ${word}`, passed: says(true, word) && !says(false, word) })),
    ...scene.never.map(word => ({ what: `never: ${word}`, passed: !says(true, word) && !says(false, word) })),
  ]
  const known = rows.map(({ content, over }) => (over ? `${content} (over)` : content))
  const result = { name: scene.name, kind: scene.kind, locale: scene.locale, known }
  if (!scene.ask) return { ...result, checks }
  // Past the working memory, so that only memory can answer.
  await bot.pass('1h')
  const [author, question] = scene.ask
  const before = bot.sent.length
  await bot.say(author, `@${persona.name} ${question}`)
  const answer = bot.sent.slice(before).join('\n')
  const passed = scene.answer.some(word => answer.toLowerCase().includes(word.toLowerCase()))
  return { ...result, answer, checks: [...checks, { what: `answer: ${scene.answer.join(' or ')}`, passed }] }
}
