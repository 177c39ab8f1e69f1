/** Runs scenes through a bot with the memory plugins, and checks what it knows after each. */
import { setTimeout as sleep } from 'node:timers/promises'
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import { type BotConfig, milliseconds, type Platform, startBot } from 'kikimimi'
import { createLogger, movedClock, openDatabase, stepsOf } from 'kikimimi/host'
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
const APART = milliseconds('3m')

const START = new Date('2026-01-05T10:00:00Z')

/** Milliseconds of real time in which the clock of the scene stands still for a model that works. */
const PATIENCE = 60_000

/** A bot in memory, on a clock of its own, without the plugins of bot.config.ts. */
export async function evalScene(scene: Scene, { models, persona }: Pick<BotConfig, 'models' | 'persona'>): Promise<SceneResult> {
  await using scope = new AsyncDisposableStack()
  const plugins = [addressing(), judgeRules(), facts(), reflection({ lull: '1m', minMessages: 1 }), reply()]
  const time = movedClock(START)
  const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: time.clock })
  const db = scope.adopt(await openDatabase('memory', { clock: time.clock, log }), opened => opened.close())
  const sent: string[] = []
  const platform: Platform = {
    name: 'scene',
    me: { id: 'bot', name: persona.name },
    limits: { textLength: 4_000 },
    send: async (_conversation, { text }) => ({ id: `bot-${sent.push(text)}` }),
  }
  const config = { plugins, persona, locale: scene.locale, ...(models && { models }) }
  const parts = { db, log, clock: time.clock, jobClock: time.jobClock, platforms: [platform], supervise: false, env: {} }
  const bot = scope.use(await startBot(config, parts))
  const steps = stepsOf(time, db, () => bot.jobs)

  /** A model takes real time. Meanwhile the clock of the scene stands still. */
  async function settle(): Promise<void> {
    for (const until = Date.now() + PATIENCE; ; await sleep(20)) {
      await steps.settle()
      const { running } = await bot.jobs.state()
      if (running === 0 || Date.now() > until) return
    }
  }
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, { ...steps, settle })

  let count = 0
  async function say(author: string, text: string): Promise<void> {
    await bot.receive(platform, {
      id: `m${++count}`,
      conversation: { platform: platform.name, workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
      author: { id: author, name: author },
      text,
      at: new Date(time.clock.now()),
      mentions: text.startsWith(`@${persona.name}`) ? [platform.me] : [],
    })
    await settle()
  }

  for (const [author, text] of scene.talk) {
    await say(author, text)
    await pass(APART)
  }
  const { rows } = await db.query<{ content: string; over: boolean }>(
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
  await pass(milliseconds('1h'))
  const [author, question] = scene.ask
  const before = sent.length
  await say(author, `@${persona.name} ${question}`)
  await pass(APART)
  const answer = sent.slice(before).join('\n')
  const passed = scene.answer.some(word => answer.toLowerCase().includes(word.toLowerCase()))
  return { ...result, answer, checks: [...checks, { what: `answer: ${scene.answer.join(' or ')}`, passed }] }
}
