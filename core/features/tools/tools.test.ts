/** What a tool returns, through the whole bot. */
import reply from '@kikimimi/reply'
import { expect, test } from 'vitest'
import { definePlugin, Files } from '../../api/index.ts'
import { explained } from '../../prompt/explain-trace.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { testBot } from '../../testing/test-bot.ts'

const PIXEL = 'data:image/png;base64,iVBORw0KGgo='

const camera = definePlugin({
  name: 'camera',
  needs: [Files],
  setup: ctx => ({
    tools: [
      {
        name: 'look',
        description: 'looks',
        schema: {},
        async invoke(_input, { turn }) {
          ctx.note('a picture of 8 bytes')
          if (!turn) return 'no turn'
          const file = { data: Buffer.from('iVBORw0KGgo=', 'base64'), name: 'door.png' }
          const { images } = await ctx.use(Files).read(turn.conversation, [file, { data: Buffer.from('plain'), name: 'x' }])
          return { text: 'The front door.', images }
        },
      },
    ],
  }),
})

test('pictures follow the results of the tools, and what the plugin noted stands in the trace', async () => {
  const model = scriptedModel([{ toolCalls: [{ id: '1', name: 'look', args: {} }] }, 'It is closed.'])
  await using bot = await testBot({ plugins: [camera, reply()], model })
  await bot.say('alice', '@kiki is the door closed?')
  expect(bot.sent).toEqual(['It is closed.'])
  expect(model.asked[1]?.messages.slice(-2)).toEqual([
    { role: 'tool', id: '1', name: 'look', text: 'The front door.', failed: false },
    expect.objectContaining({ role: 'user', text: expect.stringContaining('pictures'), images: [PIXEL] }),
  ])
  const trace = await bot.trace()
  expect(trace.notes).toEqual([{ plugin: 'camera', text: 'a picture of 8 bytes' }])
  expect(explained(trace).join('\n')).toContain('notes      camera: a picture of 8 bytes')
})

test('an object that is no picture is JSON for the model', async () => {
  const model = scriptedModel([{ toolCalls: [{ id: '1', name: 'list', args: {} }] }, 'Two.'])
  const tool = {
    name: 'list',
    description: 'lists',
    schema: {},
    invoke: async () => ({ text: 'x', images: ['https://x.example/a.png'] }),
  }
  await using bot = await testBot({ plugins: [definePlugin({ name: 'list', setup: () => ({ tools: [tool] }) }), reply()], model })
  await bot.say('alice', '@kiki list')
  expect(model.asked[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    text: '{"text":"x","images":["https://x.example/a.png"]}',
  })
})
