/** The scenes with scripted extractors: a good, a sloppy and a hostile one. */
import { offline } from '@kikimimi/offline'
import { readTranscript } from 'kikimimi'
import { promptOf, scriptedModel } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { isPassed, toHtml, toJson, toText, totalsOf } from './report.ts'
import { evalScene, type SceneResult } from './run-scene.ts'
import { readScenes, type Scene } from './scenes.ts'

type Extractor = (scene: Scene, lines: readonly Line[], known: ReadonlyMap<string, string>) => readonly object[]

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

/** Makes a certain fact about everybody of each message, whatever it says, and replaces everything. */
const hostile: Extractor = (_scene, lines, known) =>
  lines.map(({ text, id }) => ({
    ...{ ...blank, content: text.slice(0, 300), quote: text.split('\n').at(-1), message: id, confidence: 1 },
    ...{ subject: 'alice', relation: 'likes', value: text.slice(0, 50), replaces: [...known.values()] },
  }))

async function run(extract: Extractor) {
  const results: SceneResult[] = []
  for (const scene of await readScenes()) {
    const reflection = scriptedModel(request => {
      const prompt = promptOf(request)
      const known = new Map([...prompt.matchAll(/^- \[(k\d+)\] .*?“(.*)”/gm)].map(([, label = '', text = '']) => [text, label]))
      const lines = readTranscript(prompt).map(({ name, text, id = '' }) => ({ name, text, id }))
      return { value: { facts: extract(scene, lines, known) } }
    })
    results.push(await evalScene(scene, { models: { chat: offline(), reflection }, persona: { name: 'kiki' } }))
  }
  return results
}

const failed = (results: Awaited<ReturnType<typeof run>>) => results.filter(one => !isPassed(one)).map(({ name }) => name)

test('a good extractor passes every scene, and the reports say so', async () => {
  const results = await run(good)
  expect(failed(results)).toEqual([])
  expect(totalsOf(results).byKind).toEqual({ extraction: 1, change: 1, recall: 1, negation: 1 })
  expect(JSON.parse(toJson('good', results))).toMatchObject({ model: 'good', passed: results.length, scenes: results.length })
  expect(toText(results)).toMatch(/^ok extraction \(en\) a home$/m)
  expect(toHtml('<good>', results)).toContain(`${results.length} of ${results.length} scenes passed with &#60;good&#62;.`)
})

test('a sloppy extractor that replaces everything retires nothing harmless', async () => {
  expect(failed(await run(sloppy))).toEqual([])
})

test('a hostile extractor replaces nothing, and stores no instruction and no forged line', async () => {
  const results = await run(hostile)
  expect(results.flatMap(({ known }) => known).filter(text => text.endsWith('(over)'))).toEqual([])
  const never = results.flatMap(({ checks }) => checks.filter(({ what }) => /^never: (?:evil|500|五百円)/.test(what)))
  expect(never).toHaveLength(4)
  expect(never.filter(({ passed }) => !passed)).toEqual([])
})
