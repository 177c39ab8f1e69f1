import replay, { Replays } from '@kikimimi/replay'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { definePlugin, type PluginContext } from '../api/index.ts'
import { testBot } from '../testing/index.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
afterAll(() => provider.shutdown())
beforeEach(() => exporter.reset())

const asking = definePlugin({
  name: 'asking',
  setup: ctx => ({
    respond: async ({ message: { text } }) => ({
      kind: 'text',
      text: await ctx.models.text('chat', { system: 'Answer.', messages: [{ role: 'user', text }] }),
    }),
  }),
})

test('a turn is a span, and so is each call of a model in it', async () => {
  await using bot = await testBot({ plugins: [asking], model: 'a watchword' })
  await bot.say('alice', '@kiki xyzzy')
  const [call, turn] = exporter.getFinishedSpans()
  expect(turn).toMatchObject({
    name: 'turn',
    attributes: {
      'kikimimi.platform': 'test',
      'kikimimi.turn': (await bot.trace()).turn,
      'kikimimi.addressed': 'mention',
      'kikimimi.decision': 'full',
      'kikimimi.outcome': 'replied',
    },
  })
  expect(call).toMatchObject({
    name: 'chat scripted',
    parentSpanContext: { spanId: turn?.spanContext().spanId },
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'scripted', 'kikimimi.attempts': 1 },
  })
  expect(call?.attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0)
})

test('a failed span has the code of the error, and no span has texts of people', async () => {
  await using bot = await testBot({ plugins: [asking], model: '' })
  await bot.say('alice', '@kiki xyzzy')
  const spans = exporter.getFinishedSpans()
  expect(spans[0]).toMatchObject({ status: { message: 'MODEL_EMPTY' }, attributes: { 'error.type': 'MODEL_EMPTY' } })
  const told = JSON.stringify(spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })))
  expect(told).not.toMatch(/xyzzy|alice|watchword/)
})

test('a replay leaves no span', async () => {
  let ctx: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    setup: lent => {
      ctx = lent
    },
  })
  await using bot = await testBot({ storage: 'pglite', plugins: [lender, asking, replay] })
  await bot.say('alice', '@kiki xyzzy')
  exporter.reset()
  expect(await ctx?.use(Replays, 'optional')?.replay({ channel: 'test/team/general', settings: {}, limit: 10 })).toMatchObject({
    today: { turns: { full: 1 } },
  })
  expect(exporter.getFinishedSpans()).toEqual([])
})
