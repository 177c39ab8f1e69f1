/** Replays a Japanese log with the real rules, so that tuning on such a channel has meaningful figures. */
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import { expect, test } from 'vitest'
import { fileLog } from '../packages/replay/logs/chat-log.ts'
import { replay } from '../packages/replay/replay.ts'
import { metricsOf } from '../packages/replay/scores.ts'
import { JAPANESE } from './replay/japanese.ts'
import { silent } from './support.ts'

async function seated(judge?: 'oracle') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-replay-'))
  const file = join(folder.path, 'office.jsonl')
  let at = Date.UTC(2026, 0, 5, 0)
  const lines = JAPANESE.map(([seconds, author, text, ...answers], line) => {
    at += seconds * 1_000
    const replyTo = answers.map(answer => `m${answer}`)
    return JSON.stringify({
      id: `m${line}`,
      at: new Date(at),
      channel: 'office',
      author: { id: author, name: author },
      text,
      replyTo,
    })
  })
  await writeFile(file, lines.join('\n'))
  const { counts, sums } = await replay([fileLog(file)], {
    config: { persona: { name: 'kiki' }, pacing: { minWait: 'auto' }, plugins: [addressing(), judgeRules()] },
    project: pathToFileURL(`${folder.path}/`),
    seed: 1,
    log: silent,
    seating: { author: '美咲' },
    ...(judge && { judge: { kind: judge, low: 20, high: 80 } }),
  })
  if (!sums) throw new Error('Nobody was scored.')
  return { counts, ...metricsOf(sums) }
}

// The rest is a greeting, thanks, which the member returned and the bot does not answer, and a question to whoever is there.
test('with a perfect judge the bot finds all answers of a member of a Japanese channel, except greetings and thanks', async () => {
  const { counts, coverage, interruptionAccuracy } = await seated('oracle')
  expect(counts).toMatchObject({ problems: 0, dropped: 0 })
  expect(coverage).toBeGreaterThanOrEqual(0.8)
  expect(interruptionAccuracy).toBeGreaterThanOrEqual(0.9)
})

test('rules alone are silent while others talk with each other', async () => {
  const { counts, f1, interruptionAccuracy } = await seated()
  expect(counts).toMatchObject({ problems: 0, judgements: 0 })
  expect(f1).toBeGreaterThanOrEqual(0.3)
  expect(interruptionAccuracy).toBeGreaterThanOrEqual(0.85)
})
