/**
 * Answers of the offline model to the questions of 564 scenes of three to ten lines, through the whole bot. `npm run bench:offline -- [--held] [--show]` prints
 * how many are right, wrong, or say that there is no answer: by language and kind, for the scenes that the reader was written with and, with
 * `--held`, for those that were kept apart. `--show` prints each answer that is not right. `--write` learns the weights of the reader before,
 * from the scenes that are not kept apart.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import addressing from '@kikimimi/addressing'
import { offline } from '@kikimimi/offline'
import reply from '@kikimimi/reply'
import { startBot } from 'kikimimi'
import { movedClock, stepsOf } from 'kikimimi/host'
import { seededRandom } from '../../../core/base/random.ts'
import { progress } from '../../base/measure.ts'
import { benchLog, deafPlatform, said } from '../../base/talk.ts'
import { type Line, type Mark, mark, type Question, readScenes, type Scene } from './scenes.ts'
import { examplesOf, learned } from './train.ts'

const PAUSE_MS = 20_000

const { values } = parseArgs({
  options: {
    held: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** The answer to each question. Every scene has a channel of its own. */
async function answersTo(scenes: readonly Scene[]): Promise<ReadonlyMap<Question, string>> {
  const time = movedClock(new Date('2026-01-05T10:00:00Z'))
  const answers: string[] = []
  const platform = {
    ...deafPlatform(),
    send: async (_conversation: unknown, { text = '' }: { text?: string }) => ({ id: `posted-${answers.push(text)}` }),
  }
  await using bot = await startBot(
    { persona: { name: 'kiki', names: ['キキ'] }, models: { chat: offline() }, plugins: [addressing(), reply()] },
    {
      ...{ inMemory: true, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
      ...{ platforms: [platform], supervise: false, env: {} },
    },
  )
  const steps = stepsOf(time, undefined, () => bot.jobs)
  let count = 0
  const found = new Map<Question, string>()
  for (const scene of scenes) {
    const say = async ({ name, text }: Line) => {
      const before = answers.length
      const mentions = text.startsWith('@kiki ') ? [platform.me] : []
      const more = { text, mentions, at: new Date(time.clock.now()), author: { id: name, name } }
      await bot.receive(platform, said(++count, `scene-${scene.number}`, more))
      await time.clock.advance(time.clock.now() + PAUSE_MS, steps)
      return answers.slice(before).join('\n')
    }
    for (const line of scene.lines) await say(line)
    for (const question of scene.questions) found.set(question, await say(question))
  }
  return found
}

type Counts = Record<Mark, number>

const none = (): Counts => ({ right: 0, wrong: 0, unknown: 0 })

async function measure(scenes: readonly Scene[]) {
  const all = none()
  const groups: Record<string, Counts> = {}
  const answers = await answersTo(scenes)
  for (const { number, language, questions } of scenes)
    for (const question of questions) {
      const answer = answers.get(question) ?? ''
      const marked = mark(question, answer)
      groups[language] ??= none()
      groups[question.kind] ??= none()
      for (const counts of [all, groups[language], groups[question.kind]]) if (counts) counts[marked]++
      if (values.show && marked !== 'right') progress(`${marked} ${number}: ${question.text} → ${answer}`)
    }
  return { scenes: scenes.length, ...all, groups }
}

const WEIGHTS = new URL('../../../packages/speech-acts/rules/reader/weights.ts', import.meta.url)

const scenes = await readScenes()
if (values.write) {
  const weights = Object.entries(learned(examplesOf(scenes.filter(({ held }) => !held))))
    .filter(([, weight]) => weight !== 0)
    .map(([name, weight]) => `  '${name}': ${weight},\n`)
  const text = `/** Written by \`npm run bench:offline -- --write\`. */\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${weights.join('')}}\n`
  await writeFile(WEIGHTS, text)
}
const result = {
  work: await measure(scenes.filter(({ held }) => !held)),
  ...(values.held && { held: await measure(scenes.filter(({ held }) => held)) }),
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
