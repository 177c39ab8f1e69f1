import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import knowledge from './index.ts'
import { type Panel, Panels } from './panel.ts'
import { indexed, until } from './testing/indexed.ts'
import { tempFolder } from './testing/temp-folder.ts'

/** Texts of one topic have one direction. While it is `busy`, it takes questions alone. */
function topicVectors(model: string, topics: readonly RegExp[], busy = false) {
  const vectors = {
    model,
    busy,
    asked: [] as string[],
    async embedDocuments(texts: string[]) {
      if (vectors.busy && texts.some(text => /^(?:Pets|Weather)\n/.test(text))) throw new Error('busy')
      vectors.asked.push(...texts)
      return texts.map(text => [...topics.map(topic => Number(topic.test(text))), 0.1])
    },
  }
  return vectors
}

test('vectors find what words do not, and follow another model in the background', async () => {
  await using docs = await tempFolder({
    'a.md': '# Pets\n\nMomo purrs on the sofa.',
    'b.md': '# Weather\n\nClouds gather above the hills.',
  })
  const plugins = [knowledge({ sources: [{ folder: docs.path, name: 'docs' }] }), reply]
  const model = scriptedModel(() => 'I see.')
  const TOPICS = [/cat|purrs/, /rain|[Cc]louds/]
  await using bot = await testBot({ plugins, model, models: { embeddings: topicVectors('one', TOPICS) } })
  await indexed(bot, 1)
  async function promptFor(question: string): Promise<string> {
    await bot.say('alice', `@kiki ${question}`)
    const prompt = promptOf(model.asked.at(-1))
    expect(prompt).toContain(question)
    return prompt
  }
  const made = (space: string) => until(bot, 2, 'select 1 from knowledge.vector where space = $1', [space])
  await made('one/3')
  expect(await promptFor('have you got a cat there?')).toContain('> Momo purrs on the sofa.')

  const second = topicVectors('two', TOPICS, true)
  await bot.reload({ models: { chat: model, embeddings: second } })
  await bot.pass('1h')
  await made('one/3')
  // Vectors of two models are not compared: the words serve until the new ones are there.
  expect(await promptFor('who purrs on the sofa?')).toContain('> Momo purrs on the sofa.')
  expect(await promptFor('do you see a cat anywhere?')).toContain('The documents have nothing about this (docs).')
  second.busy = false
  await bot.pass('1h')
  await made('two/3')
  expect(second.asked.filter(text => text.includes('Momo'))).toHaveLength(1)
  expect(await promptFor('have you got a cat there?')).toContain('> Momo purrs on the sofa.')
})

test('the page shows what was found for which question, without words that are private, deleted or forgotten', async () => {
  await using docs = await tempFolder({ 'rooms.md': '# Rooms\n\n## Fuji\n\nThe room Fuji has twelve chairs.' })
  let panel: Panel | undefined
  const page = definePlugin({
    name: 'page',
    provides: [Panels],
    setup: ctx =>
      ctx.provide(Panels, {
        add(added) {
          panel = added
          return () => {}
        },
      }),
  })
  const plugins = [page, knowledge({ sources: [{ folder: docs.path, name: 'docs' }], every: '60d' }), reply]
  const model = scriptedModel(request => (promptOf(request).includes('> The room Fuji') ? 'Twelve [1].' : 'Hello.'))
  await using bot = await testBot({ plugins, model })
  await indexed(bot, 1)
  // Talk that is not answered searches nothing.
  await bot.say('bob', 'the room Fuji has twelve chairs, I think')
  await bot.pass('1m')
  const { outcome, sections, ms } = await bot.trace()
  expect({ outcome, sections, context: ms.context }).toEqual({ outcome: 'silent', sections: [], context: undefined })
  const asked = await bot.say('alice', '@kiki how many chairs has the room Fuji?')
  await bot.pass('1m')
  await bot.say('bob', '@kiki does the room Fuji have chairs?')
  await bot.pass('1m')
  await bot.say('carol', '@kiki are there chairs in the room Fuji?', { channel: 'board', visibility: 'private' })
  const questions = async () => {
    const [, { rows = [] } = {}] = (await panel?.read()) ?? []
    const places = (text: unknown) => String(text).replace(/ \(.*/, '')
    return rows.map(row => [row.Question, places(row.Found), places(row.Cited)])
  }
  await bot.pass('1m')
  await bot.say('carol', '@kiki how many moons does Jupiter have?')
  const place = 'rooms.md › Fuji'
  expect(await questions()).toEqual([
    ['@kiki how many moons does Jupiter have?', '(nothing)', ''],
    ['(not public)', place, place],
    ['@kiki does the room Fuji have chairs?', place, place],
    ['@kiki how many chairs has the room Fuji?', place, place],
  ])
  await bot.remove(asked)
  await bot.bot.forget({ platform: 'test', id: 'bob' })
  await bot.pass('1m')
  expect(await questions()).toEqual([
    ['@kiki how many moons does Jupiter have?', '(nothing)', ''],
    ['(not public)', place, place],
    ['(deleted)', place, place],
  ])
  await bot.db.query(`update knowledge.question set at = at - interval '30 days'`)
  await bot.pass('1d')
  expect((await bot.db.query('select 1 from knowledge.question')).rowCount).toBe(0)
})

test('a question that must not be remembered before it is answered is not kept', async () => {
  await using docs = await tempFolder({ 'rooms.md': '# Rooms\n\n## Fuji\n\nThe room Fuji has twelve chairs.' })
  const kept = async () => (await bot.db.query<{ author: string }>('select author from knowledge.question order by at')).rows
  const model = scriptedModel(async request => {
    if (promptOf(request).includes('in secret'))
      await bot.db.query(
        `insert into kikimimi.left_out (channel, id, at) select channel, id, at from kikimimi_v1.message where author_id = 'bob'`,
      )
    return 'Twelve.'
  })
  const bot = await testBot({
    plugins: [knowledge({ sources: [{ folder: docs.path, name: 'docs' }], every: '60d' }), reply],
    model,
  })
  await using _ = bot
  await indexed(bot, 1)
  await bot.say('alice', '@kiki how many chairs has the room Fuji?')
  await bot.pass('1m')
  await bot.say('bob', '@kiki how many chairs has the room Fuji, in secret?')
  await bot.pass('1m')
  expect(await kept()).toEqual([{ author: 'alice' }])
})
