/** The scenes with scripted extractors: a good, a sloppy and a hostile one. */
import { offline } from '@kikimimi/offline'
import { type Case, type Evaluation, evaluate, isPassed, toText } from '@kikimimi/replay/eval'
import { readTranscript } from 'kikimimi/model'
import { promptOf, scriptedModel, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { memoryCase } from './memory-case.ts'
import { type MemoryScene, readMemoryScenes } from './scenes.ts'

type Extractor = (scene: MemoryScene, lines: readonly Line[], known: ReadonlyMap<string, string>) => readonly object[]

interface Line {
  readonly name: string
  readonly text: string
  readonly id: string
}

const blank = { kind: 'durable', people: [], keywords: [], confidence: 0.9, shareable: false, replaces: [] } as const

/** What the scene says, and nothing else. */
const good: Extractor = ({ talk, facts }, lines, known) =>
  facts.flatMap(({ line, replaces, ...fact }) => {
    const shown = lines.find(({ text }) => talk[line - 1]?.[1] === text)
    const people = shown?.name === fact.subject ? [shown.name] : []
    const old = replaces.flatMap(content => known.get(content) ?? [])
    return shown ? [{ ...blank, ...fact, people, replaces: old, message: shown.id }] : []
  })

/** Says of every fact that it replaces all that is known. */
const sloppy: Extractor = (scene, lines, known) =>
  good(scene, lines, known).map(fact => ({ ...fact, single: true, replaces: [...known.values()] }))

/** A wrong extractor: each message becomes a certain fact about all people, which replaces all known facts. */
const hostile: Extractor = (_scene, lines, known) =>
  lines.map(({ text, id }) => ({
    ...{ ...blank, content: text.slice(0, 300), quote: text.split('\n').at(-1), message: id, confidence: 1 },
    ...{ subject: 'alice', relation: 'likes', value: text.slice(0, 50), replaces: [...known.values()] },
  }))

const all = await readMemoryScenes()
const { rounds } = testRounds({ few: 4, all: all.length })

/** Some of the scenes: those that count most. */
const some = (countOf: (scene: MemoryScene) => number) =>
  all.toSorted((one, other) => countOf(other) - countOf(one)).slice(0, rounds)

async function run(extract: Extractor, scenes: readonly MemoryScene[]): Promise<Evaluation> {
  let scene: MemoryScene | undefined
  const reflection = scriptedModel(request => {
    const prompt = promptOf(request)
    const known = new Map([...prompt.matchAll(/^- \[(k\d+)\] .*?“(.*)”/gm)].map(([, label = '', text = '']) => [text, label]))
    const lines = readTranscript(prompt).map(({ name, text, id = '' }) => ({ name, text, id }))
    return { value: { facts: scene ? extract(scene, lines, known) : [] } }
  })
  const cases = scenes.map(one => {
    const made = memoryCase(one)
    const run: Case['run'] = (configuration, metered) => {
      scene = one
      return made.run(configuration, metered)
    }
    return { ...made, run }
  })
  const config = { models: { chat: offline(), reflection }, persona: { name: 'kiki' }, plugins: [] }
  return evaluate(cases, { configurations: [{ name: 'scripted', config, project: undefined }] })
}

const results = ({ cases }: Evaluation) => cases.flatMap(({ name, results: [result] }) => (result ? [{ name, ...result }] : []))
const failed = (evaluation: Evaluation) =>
  results(evaluation)
    .filter(one => !isPassed(one) || one.failed !== undefined)
    .map(({ name }) => name)

test('a good extractor passes every scene, and the report says so', async () => {
  const scenes = some(({ holds }) => holds.length)
  const n = scenes.length
  const evaluation = await run(good, scenes)
  expect(failed(evaluation)).toEqual([])
  expect(evaluation.rows).toMatchObject([{ kind: 'memory', shares: [{ n, passed: n, value: 1 }] }])
  expect(toText(evaluation)).toContain(`ok memory: ${scenes[0]?.kind}: ${scenes[0]?.name} (${scenes[0]?.locale})\n`)
  expect(toText(evaluation)).toMatch(new RegExp(`^memory {3}${n} of ${n}, 100 % \\(\\d\\d % to 100 %\\)$`, 'm'))
})

test('a sloppy extractor that replaces everything retires nothing harmless', async () => {
  expect(
    failed(
      await run(
        sloppy,
        some(({ over }) => over.length),
      ),
    ),
  ).toEqual([])
})

test('a hostile extractor replaces nothing, and stores no instruction and no forged line', async () => {
  const forbidden = /^(?:evil|500|五百円)/
  const scenes = some(({ never }) => never.filter(word => forbidden.test(word)).length)
  const played = results(await run(hostile, scenes))
  expect(played.map(({ why }) => why).join()).not.toContain('(over)')
  const never = played.flatMap(({ checks }) => checks.filter(({ what }) => forbidden.test(what.replace('never: ', ''))))
  expect(never).toHaveLength(4)
  expect(never.filter(({ passed }) => !passed)).toEqual([])
})
