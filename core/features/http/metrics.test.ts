import { expect, test } from 'vitest'
import { definePlatform, definePlugin } from '../../api/index.ts'
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import { openDatabase } from '../../storage/database/database.ts'
import { testBot } from '../../testing/index.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

const address = '127.0.0.1:18789'

const scrape = async () => {
  const response = await fetch(`http://${address}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  return await response.text()
}

const answering = definePlugin({
  name: 'answering',
  setup: ctx => ({
    filter: ({ text }) => (text === 'spam' ? 'spam' : undefined),
    score: () => {
      throw new Error('no idea')
    },
    respond: async ({ message }) => ({
      kind: 'text',
      text: await ctx.models.text('chat', { system: 'Answer.', messages: [{ role: 'user', text: message.text }] }),
    }),
  }),
})

test('counts the work of the bot, without people, texts and channels', async () => {
  await using bot = await testBot({ http: address, plugins: [answering], model: 'a watchword' })
  await bot.say('alice', 'spam', { channel: 'secret-plans' })
  await bot.say('alice', '@kiki xyzzy', { channel: 'secret-plans' })
  await bot.say('bob', 'plugh')
  await bot.pass('1m')
  expect(bot.sent).toEqual(['a watchword'])

  const told = await scrape()
  expect(told).toContain('kikimimi_messages_total{platform="test",recorded="true"} 2')
  expect(told).toContain('kikimimi_messages_total{platform="test",recorded="false"} 1')
  expect(told).toContain('kikimimi_dropped_messages_total{platform="test",plugin="answering"} 1')
  expect(told).toContain('kikimimi_turns_total{platform="test",addressed="true",outcome="replied"} 1')
  expect(told).toContain('kikimimi_turns_total{platform="test",addressed="false",outcome="silent"} 1')
  expect(told).toContain('kikimimi_decisions_total{plugin="kernel",kind="full"} 1')
  expect(told).toContain('kikimimi_problems_total{plugin="answering",stage="score"} 2')
  expect(told).toContain('kikimimi_model_calls_total{role="chat",model="scripted",result="ok"} 1')
  expect(told).toMatch(/kikimimi_model_tokens_total\{role="chat",model="scripted",direction="input"\} [1-9]/)
  expect(told).toContain('kikimimi_stage_seconds_count{stage="respond"} 1')
  expect(told).toContain('kikimimi_platform_up{platform="test"} 1')
  expect(told).toContain('kikimimi_jobs{lane="turn",state="due"} 0')
  expect(told).toMatch(/process_resident_memory_bytes \d/)
  expect(told).not.toMatch(/alice|bob|secret|xyzzy|plugh|spam|watchword|no idea/)
})

test('reports the rest when a platform fails and the database is unavailable', async () => {
  class Radio {
    readonly name = 'radio'
    readonly me = { id: 'bot', name: 'kiki' }
    readonly limits = { textLength: 100 }
    readonly #why = 'no antenna'
    unready() {
      return this.#why
    }
    async send() {
      return { id: 'sent' }
    }
  }
  const db = await openDatabase('memory', { clock: systemClock, log })
  const radio = definePlatform({ name: 'radio', setup: () => ({ platform: new Radio() }) })
  const bot = await startBot({ persona: { name: 'kiki' }, http: address, plugins: [radio] }, { log, db })
  try {
    expect(await scrape()).toContain('kikimimi_jobs{lane="turn",state="due"} 0')
    await db.query('alter schema pgboss rename to elsewhere')
    const told = await scrape()
    expect(told).toContain('kikimimi_platform_up{platform="radio"} 0')
    expect(told).not.toContain('kikimimi_jobs{')
  } finally {
    await db.query('alter schema elsewhere rename to pgboss')
    await bot.stop()
    await db.close()
  }
})

test('grows with plugins, not with channels', async () => {
  await using bot = await testBot({ http: address, plugins: [answering] })
  await bot.say('alice', '@kiki hello')
  const series = (text: string) => text.split('\n').filter(line => line.startsWith('kikimimi_')).length
  const before = series(await scrape())
  for (let at = 0; at < 20; at++) await bot.say(`person-${at}`, '@kiki hello', { channel: `channel-${at}` })
  expect(series(await scrape())).toBe(before)
})
