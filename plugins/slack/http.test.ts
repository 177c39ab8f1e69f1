/** Events over HTTP, at a public address. */
import { describe, expect, test } from 'vitest'
import { ask, type BotOptions, changed, overHttp, readiness, startWithHttp, until } from './test-bot.ts'

const body = JSON.stringify({
  type: 'event_callback',
  team_id: 'TKIKIMIMI',
  event: {
    type: 'message',
    channel: 'CGENERAL',
    channel_type: 'channel',
    user: 'UALICE',
    text: '<@UKIKI> hi',
    ts: '1767600000.000100',
  },
})
const now = () => Math.floor(Date.now() / 1_000)

async function start(options: BotOptions = {}) {
  const on = await startWithHttp({ plugin: overHttp, ...options })
  on.slack.channel('general')
  on.slack.channel('@alice')
  const url = `${on.address}/slack/events`
  on.slack.deliverTo(url)
  return { ...on, url }
}

describe.concurrent('a request', () => {
  test.each([
    ['of another secret', { signature: `v0=${'0'.repeat(64)}` }],
    ['of another version', { signature: 'v9=1' }],
    ['that is missing', { signature: '' }],
    ['of six minutes ago', { timestamp: now() - 360 }],
    ['of six minutes ahead', { timestamp: now() + 360 }],
    ['of no time', { timestamp: Number.NaN }],
  ])('with a signature %s gets 401, and is ignored', async (_name, wrong) => {
    await using on = await start()
    const { status } = await on.slack.request({ url: on.url, body, ...wrong })
    expect(status).toBe(401)
    await on.bot.drained()
    expect(on.turns).toEqual([])
    expect(on.log.filter(line => line.startsWith('warn a request was not signed by Slack'))).toHaveLength(1)
    expect(await readiness(on.address)).toEqual({ status: 200 })
  })

  test('that Slack repeats (x-slack-retry-num) is one message, stored before the acknowledgement, with one answer', async () => {
    await using on = await start()
    const first = await on.slack.request({ url: on.url, body })
    const again = await on.slack.request({ url: on.url, body, retry: { num: 1, reason: 'http_timeout' } })
    expect([first.status, again.status]).toEqual([200, 200])
    await until(() => on.texts().length > 0)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
    expect(on.turns).toHaveLength(1)
  })

  test('whose event could not be stored gets 503, and works when Slack repeats it', async () => {
    let failures = 1
    await using on = await start({
      plugin: slack =>
        changed(overHttp(slack), ({ receive }) => ({
          receive: message => (failures-- > 0 ? Promise.reject(new Error('the database is busy')) : receive(message)),
        })),
    })
    const first = await on.slack.request({ url: on.url, body })
    const again = await on.slack.request({ url: on.url, body, retry: { num: 1, reason: 'http_error' } })
    expect([first.status, again.status]).toEqual([503, 200])
    await until(() => on.texts().length > 0)
    expect(on.texts()).toEqual(['to hi'])
  })

  test('of url_verification gets its challenge', async () => {
    await using on = await start()
    const response = await on.slack.request({ url: on.url, body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) })
    expect(await response.json()).toEqual({ challenge: 'abc' })
  })

  test.each(['', '{', '[]', 'null', '{"type":"event_callback"}'])(
    'of nonsense that is signed (%s) does no harm',
    async nonsense => {
      await using on = await start()
      const { status } = await on.slack.request({ url: on.url, body: nonsense })
      expect(status).toBeLessThan(500)
      await ask(on, 'still there?')
    },
  )
})
