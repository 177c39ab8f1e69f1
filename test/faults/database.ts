/** The database becomes unavailable, and comes back. */

import { setTimeout as pass } from 'node:timers/promises'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { freePort, testPlatform } from 'kikimimi/testing'
import { expect } from 'vitest'
import config from '../../bot.config.ts'
import { createLogger } from '../../core/base/log.ts'
import { until } from '../support.ts'
import { said } from './heard.ts'
import { startOwnServer } from './own-server.ts'

const answer = definePlugin({
  name: 'answer',
  setup: () => ({
    decide: ({ addressed }) => (addressed ? undefined : { kind: 'full', why: 'always' }),
    respond: ({ messages }) => ({ kind: 'text', text: messages.map(({ id }) => id).join(' ') }),
  }),
})

/** Reads the messages of each finished turn from the database, not before `allowed` resolves. */
const ending = (allowed: Promise<void>, ended: string[]) =>
  definePlugin({
    name: 'ending',
    setup: ({ db }) => ({
      after: async ({ messages }) => {
        await allowed
        const ids = messages.map(({ id }) => id)
        const { rows } = await db.query<{ id: string }>('select id from kikimimi_v1.message where id = any($1)', [ids])
        ended.push(...rows.map(({ id }) => id))
      },
    }),
  })

/** Plugins refresh their caches after five seconds. */
const STALE_MS = 5_500

export async function goesAway(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startOwnServer())
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const log: string[] = []
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const ended: string[] = []
  const http = `127.0.0.1:${await freePort()}`
  const bot = opened.use(
    await startBot(
      {
        persona: { name: 'kiki' },
        database: server.url,
        http,
        plugins: [answer, ending(stopped, ended), ...config.plugins],
        pacing: { minWait: '2s', jitter: 0 },
      },
      {
        env: {},
        platforms: [platform],
        log: createLogger({ level: 'info', format: 'lines', write: line => void log.push(line), clock: systemClock }),
      },
    ),
  )
  let hasFailed = false
  bot.failed.catch(() => {
    hasFailed = true
  })
  const hear = (id: string, how?: { readonly calls: boolean }) => bot.receive(platform, said(platform, id, how))
  const answers = () => platform.posted.flatMap(one => (one.kind === 'text' ? one.text.split(' ') : [])).toSorted()
  const readyz = async () => (await fetch(`http://${http}/readyz`)).status

  await hear('before')
  await until(() => answers().includes('before'))
  // Received, and due in two seconds: the server is down by then.
  await hear('waiting', { calls: false })
  await server.stop()
  // The turn of the first message is ending.
  stop()
  expect(await readyz()).toBe(503)
  expect((await fetch(`http://${http}/healthz`)).status).toBe(200)
  await pass(STALE_MS)
  // One more than the failures in a row that open a circuit.
  const meanwhile = [...['meanwhile', 'again', 'still'].map(id => hear(id)), hear('too', { calls: false })]
  await until(() => log.some(line => line.includes('the database is unavailable')))
  await server.start()
  await until(async () => (await readyz()) === 200)
  expect(await Promise.all(meanwhile)).toEqual([true, true, true, true])
  expect(await hear('back')).toBe(true)
  await until(() => answers().length === 7)
  expect(answers()).toEqual(['again', 'back', 'before', 'meanwhile', 'still', 'too', 'waiting'])
  await until(() => ended.length === 7)
  expect(ended.toSorted()).toEqual(answers())
  expect(log.join('\n')).not.toContain('failed')
  expect(hasFailed).toBe(false)
}
