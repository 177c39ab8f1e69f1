/** A scene of memory as a case: it runs through a bot with the memory plugins, which is checked for what it knows after it. */
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import reflection from '@kikimimi/reflection'
import { type Case, type Metered, type Outcome, settleWith } from '@kikimimi/replay/eval'
import reply from '@kikimimi/reply'
import { type BotConfig, milliseconds, startBot } from 'kikimimi'
import { createLogger, movedClock, openDatabase, stepsOf } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import type { MemoryScene } from './scenes.ts'

/** The messages of a scene are apart by this time, so that each is extracted with what was known before it. */
const APART = milliseconds('3m')

const START = new Date('2026-01-05T10:00:00Z')

export function memoryCase(scene: MemoryScene): Case {
  return {
    name: `${scene.kind}: ${scene.name} (${scene.locale})`,
    kind: 'memory',
    run: ({ config }, metered) => play(scene, config, metered),
  }
}

/** A bot in memory, on a clock of its own, without the plugins of bot.config.ts. */
async function play(scene: MemoryScene, { persona }: Pick<BotConfig, 'persona'>, metered: Metered): Promise<Outcome> {
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
  const failedBefore = metered.spent().failed
  const config = { plugins, persona, locale: scene.locale, ...(metered.models && { models: metered.models }) }
  const parts = {
    defaultModel: offline(),
    db,
    log,
    clock: time.clock,
    jobClock: time.jobClock,
    platforms: [platform],
    supervise: false,
    env: {},
  }
  const bot = scope.use(await startBot(config, parts))
  const steps = settleWith(
    stepsOf(time, db, () => bot.jobs),
    metered,
  )
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, steps)

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
    await steps.settle()
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
  // Of the calls that failed, those that got no answer at all: an answer that cannot be read is an answer of the model.
  const failed = metered.spent().failed > failedBefore ? bot.modelUsage().find(used => used.failed > 0) : undefined
  const result = { why: known.join(' · '), ...(failed && { failed: `the ${failed.role} model failed` }) }
  if (!scene.ask) return { ...result, checks, said: [] }
  // Past the working memory, so that only memory can answer.
  await pass(milliseconds('1h'))
  const [author, question] = scene.ask
  const before = sent.length
  await say(author, `@${persona.name} ${question}`)
  await pass(APART)
  const answer = sent.slice(before).join('\n')
  const passed = scene.answer.some(word => answer.toLowerCase().includes(word.toLowerCase()))
  return { ...result, said: [answer], checks: [...checks, { what: `answer: ${scene.answer.join(' or ')}`, passed }] }
}
