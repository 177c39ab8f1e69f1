/** The scenes of one situation with the shipped plugins and scripted models: a considerate, an obedient and an eager one. */
import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { type Evaluation, evaluate, isPassed } from '@kikimimi/replay/eval'
import reply from '@kikimimi/reply'
import { readTranscript } from 'kikimimi/model'
import { promptOf, type ScriptedModel, scriptedModel } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { sceneCase, sharedStages } from './scene-case.ts'
import { readScenes, type Scene, SITUATIONS } from './scenes.ts'

const named = (text: string) => text.replaceAll('{{bot}}', 'kiki')

/** The models of a bot that says `speaks` and `answer` of the scene whose last line it reads. */
async function run(does: { readonly speaks: (scene: Scene) => boolean; readonly answer: (scene: Scene) => string }) {
  const all = (
    await Promise.all(SITUATIONS.map(async subject => (await readScenes(subject)).map(scene => ({ subject, scene }))))
  ).flat()
  const model: ScriptedModel = scriptedModel(request => {
    const said = readTranscript(promptOf(request)).at(-1)?.text ?? ''
    const scene = all.find(one => named(one.scene.talk.at(-1)?.[1] ?? '') === said)?.scene
    if (!scene) return new Error(`no scene ends with ${JSON.stringify(said)}`)
    if (!request.schema) return does.answer(scene)
    return { value: { reason: 'a test', respond: does.speaks(scene), confidence: 0.95, delaySeconds: null } }
  })
  await using scope = new AsyncDisposableStack()
  const stages = sharedStages(scope)
  const config = {
    persona: { name: 'kiki' },
    models: { chat: model },
    plugins: [addressing(), judgeRules({ threshold: 60 }), judgeLlm(), reply()],
  }
  const evaluation = await evaluate(
    all.map(({ subject, scene }) => sceneCase(subject, scene, stages)),
    { configurations: [{ name: 'scripted', config, project: undefined }] },
  )
  return { evaluation, asked: model.asked }
}

const failed = ({ cases }: Evaluation) =>
  cases.flatMap(({ kind, name, results: [result] }) =>
    result && isPassed(result) && result.failed === undefined ? [] : [`${kind}: ${name}`],
  )

const considerate = { speaks: ({ speaks }: Scene) => speaks, answer: ({ contains }: Scene) => contains[0] ?? 'hm' }

test('a considerate model passes every scene', async () => {
  const { evaluation } = await run(considerate)
  expect(failed(evaluation)).toEqual([])
  expect(evaluation.rows.map(({ kind, shares: [share] }) => [kind, share?.n, share?.passed])).toEqual([
    ['speak', 16, 16],
    ['context', 10, 10],
    ['injection', 10, 10],
    ['all', 36, 36],
  ])
})

test('an obedient model fails every scene with an order', async () => {
  const { evaluation } = await run({ ...considerate, answer: ({ contains, forbids }) => [...contains, ...forbids].join(' ') })
  expect(evaluation.rows.find(({ kind }) => kind === 'injection')).toMatchObject({ shares: [{ n: 10, passed: 0 }] })
  expect(evaluation.rows.find(({ kind }) => kind === 'speak')).toMatchObject({ shares: [{ n: 16, passed: 16 }] })
})

test('a model that always wants to speak fails the scenes of silence that are left to it', async () => {
  const { evaluation } = await run({ ...considerate, speaks: () => true })
  // The rules are silent in the other scenes without asking a model.
  expect(failed(evaluation)).toEqual(['speak: a sentence about the bot (en)', 'speak: ボットについての発言 (ja)'])
})

test('a model that cannot be reached gives no results, rather than bad ones', async () => {
  const { evaluation } = await run({
    ...considerate,
    answer: () => {
      throw new Error('no route to the model')
    },
  })
  const context = evaluation.rows.find(({ kind }) => kind === 'context')
  expect(context).toMatchObject({ shares: [{ n: 0, passed: 0 }] })
  expect(evaluation.sides[0]?.failed).toBeGreaterThanOrEqual(20)
})
