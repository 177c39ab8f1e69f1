// postgres: the statements of slack
/** People install the app in their workspaces: OAuth, tokens in the database, rotation and removal. */
import { randomBytes } from 'node:crypto'
import { type SlackEmulator, type SlackTeam, startSlack } from '@kikimimi/slack/testing'
import { lendTestDatabase } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { mention, readiness, startWithHttp, until } from './test-bot.ts'

const tokenKey = randomBytes(32).toString('base64')

const over = ({ signingSecret, clientId, clientSecret, apiUrl }: SlackEmulator, key = tokenKey) =>
  slackPlugin({ signingSecret, clientId, clientSecret, tokenKey: key, apiUrl, timeout: '800ms' })

/** A browser with cookies. It opens addresses of the bot, and does not follow redirects. */
function browser(address: string) {
  let cookie = ''
  return {
    async open(path: string) {
      const response = await fetch(new URL(path, address), { redirect: 'manual', headers: { cookie } })
      const set = response.headers.get('set-cookie')
      if (set !== null) cookie = set.replace(/;.*/, '')
      return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() }
    },
  }
}

async function start(options: { readonly db?: Shared['db']; readonly slack?: SlackEmulator; readonly key?: string } = {}) {
  await using ends = new AsyncDisposableStack()
  const db = options.db ?? ends.use(await lendTestDatabase([slackPlugin()])).db
  const slack = options.slack ?? (await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
  const on = await startWithHttp({ there: slack, plugin: () => over(slack, options.key), parts: { db } })
  const events = `${on.address}/slack/events`
  slack.deliverTo(events)

  /** The whole way through the browser. */
  async function install(id: string, how?: Parameters<SlackEmulator['allow']>[3]) {
    const { open } = browser(on.address)
    const { location } = await open('/slack/install')
    return open(slack.allow(location, id, `${on.address}/slack/oauth_redirect`, how))
  }

  const open = ends.move()
  return {
    ...on,
    ...{ db, slack, events, install },
    async [Symbol.asyncDispose]() {
      await on.bot.stop()
      if (!options.slack) await slack.close()
      await open.disposeAsync()
    },
  }
}

type Shared = Awaited<ReturnType<typeof startShared>>

/** An emulator and a database that outlive a bot. */
async function startShared() {
  const lent = await lendTestDatabase([slackPlugin()])
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  return {
    ...{ db: lent.db, slack },
    async [Symbol.asyncDispose]() {
      await slack.close()
      await lent[Symbol.asyncDispose]()
    },
  }
}

type On = Awaited<ReturnType<typeof start>>

const rows = async ({ db }: On) => (await db.query('select * from slack.installation order by id')).rows

async function answers(on: On, team: SlackTeam, text: string) {
  const before = team.posted.length
  await team.say(mention(text))
  await until(() => team.posted.length > before)
  await on.bot.drained()
}

/** A workspace in which the app is not installed yet. */
const fresh = (slack: SlackEmulator, id: string) => slack.team(id, { installed: false })

describe('an installation by OAuth', () => {
  test('serves the workspace at once, and stores the token encrypted', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await acme.say(mention('too early'))
    const { status, text } = await on.install('TACME')
    expect([status, text]).toEqual([200, expect.stringContaining('kiki is installed in tacme.')])
    await answers(on, acme, 'hello')
    expect(acme.posted.map(({ text }) => text)).toEqual(['to hello'])
    expect(await rows(on)).toMatchObject([{ id: 'TACME', is_org: false, name: 'tacme', bot_user: 'UKIKI', bot_name: 'kiki' }])
    const stored = JSON.stringify((await on.db.query('select * from slack.installation')).rows) + on.log.join()
    expect(stored).not.toMatch(/xoxb|offline/)
    expect(await readiness(on.address)).toEqual({ status: 200 })
  })

  test('is still there after a restart', async () => {
    await using shared = await startShared()
    const { db, slack } = shared
    const acme = fresh(slack, 'TACME')
    {
      await using on = await start({ db, slack })
      await on.install('TACME')
      await answers(on, acme, 'one')
    }
    await using on = await start({ db, slack })
    await answers(on, acme, 'two')
    expect(on.turns[0]?.history.map(({ text, own }) => [text, own])).toEqual([
      ['@kiki one', false],
      ['to one', true],
      ['@kiki two', false],
    ])
  })

  test('for an organization serves all its workspaces, each with its own conversations', async () => {
    await using on = await start()
    const org = { id: 'EORG', name: 'org' }
    const [east, west] = ['TEAST', 'TWEST'].map(id => on.slack.team(id, { org, installed: false }))
    if (!east || !west) throw new Error('no workspaces')
    await on.install('EORG')
    await answers(on, east, 'hi east')
    await answers(on, west, 'hi west')
    expect(on.turns.map(({ conversation }) => [conversation.workspace, conversation.details?.workspaceName])).toEqual([
      ['TEAST', 'teast'],
      ['TWEST', 'twest'],
    ])
    expect([east.posted.length, west.posted.length]).toEqual([1, 1])
    expect(await rows(on)).toMatchObject([{ id: 'EORG', is_org: true, name: 'org' }])
    await west.command('alice', 'general', '/kiki', 'what time is it?')
    await until(() => west.posted.length === 2)
  })

  test('a second time replaces the token', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await on.install('TACME')
    await answers(on, acme, 'one')
    await on.install('TACME')
    await answers(on, acme, 'two')
    expect(await rows(on)).toHaveLength(1)
    const used = on.slack.calls.filter(({ method }) => method === 'chat.postMessage').map(({ token }) => token)
    expect(new Set(used).size).toBe(2)
  })
})

describe('the way back from Slack', () => {
  const back = (on: On, query: string) => `${on.address}/slack/oauth_redirect?${query}`

  test('that the person has cancelled installs nothing', async () => {
    await using on = await start()
    fresh(on.slack, 'TACME')
    const { status, text } = await on.install('TACME', { refused: true })
    expect([status, text]).toEqual([200, expect.stringContaining('cancelled')])
    expect(await rows(on)).toEqual([])
  })

  test('with a code of Slack is taken once, and only in the browser in which it began', async () => {
    await using on = await start()
    fresh(on.slack, 'TACME')
    const [mine, other] = [browser(on.address), browser(on.address)]
    const { location, status } = await mine.open('/slack/install')
    expect([status, new URL(location).pathname]).toEqual([302, '/oauth/v2/authorize'])
    const redirect = on.slack.allow(location, 'TACME', `${on.address}/slack/oauth_redirect`)
    expect((await other.open(redirect)).status).toBe(400)
    await other.open('/slack/install')
    expect((await other.open(redirect)).status).toBe(400)
    expect(await rows(on)).toEqual([])
    expect((await mine.open(redirect)).status).toBe(200)
    // A copy of the cookie does not help.
    const state = new URL(redirect).searchParams.get('state') ?? ''
    const again = on.slack.allow(location, 'TACME', `${on.address}/slack/oauth_redirect`)
    const replayed = await fetch(again, { headers: { cookie: `slack-app-oauth-state=${state}` } })
    expect([replayed.status, await replayed.text()]).toEqual([400, expect.stringContaining('not valid any more')])
    expect(await rows(on)).toHaveLength(1)
  })

  test.each([
    ['no state', 'code=1'],
    ['no code', 'state=1'],
    ['nothing', ''],
    ['a state of another bot', 'code=1&state=99999999999999.AAAA.BBBB'],
  ])('with %s is refused', async (_what, query) => {
    await using on = await start()
    const { searchParams } = new URL(back(on, query))
    const cookie = `slack-app-oauth-state=${searchParams.get('state')}`
    const { status } = await fetch(back(on, query), { headers: { cookie } })
    expect(status).toBe(400)
    expect(on.slack.calls.filter(({ method }) => method === 'oauth.v2.access')).toEqual([])
  })

  test('with a code that Slack does not know is reported', async () => {
    await using on = await start()
    const { open } = browser(on.address)
    const state = new URL((await open('/slack/install')).location).searchParams.get('state')
    const { status, text } = await open(back(on, `code=wrong&state=${state}`))
    expect([status, text]).toEqual([502, expect.stringContaining('The installation failed')])
    expect(on.log.filter(line => line.includes('could not be installed'))).toEqual([expect.stringContaining('invalid_code')])
  })
})

describe('a token that is rotated', () => {
  test('is refreshed in time by one process, and both go on', async () => {
    await using shared = await startShared()
    const { db, slack } = shared
    const acme = fresh(slack, 'TACME')
    // Shorter than the two hours before which the bot refreshes a token.
    slack.rotate(3_600)
    await using one = await start({ db, slack })
    await using two = await start({ db, slack })
    await one.install('TACME')
    slack.rotate(43_200)
    slack.deliverTo(one.events, two.events)
    for (let index = 0; index < 6; index++) await acme.say({ ...mention(`${index}`), channel: `room-${index}` })
    await until(() => acme.posted.length === 6)
    await until(() => slack.calls.filter(({ args }) => args.grant_type === 'refresh_token').length > 0)
    await Promise.all([one, two].map(({ bot }) => bot.drained()))
    for (let index = 0; index < 4; index++) await acme.say({ ...mention(`again ${index}`), channel: `room-${index}` })
    await until(() => acme.posted.length === 10)
    expect(slack.calls.filter(({ args }) => args.grant_type === 'refresh_token')).toHaveLength(1)
    expect(acme.posted).toHaveLength(10)
  })

  test('and has expired is refreshed before the next call', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    on.slack.rotate(1)
    await on.install('TACME')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    on.slack.rotate(43_200)
    await answers(on, acme, 'hello')
    expect(acme.posted.map(({ text }) => text)).toEqual(['to hello'])
  })

  test('and cannot be refreshed ends its workspace only', async () => {
    await using on = await start()
    const [acme, other] = [fresh(on.slack, 'TACME'), fresh(on.slack, 'TOTHER')]
    on.slack.rotate(1)
    await on.install('TACME')
    on.slack.rotate(undefined)
    await on.install('TOTHER')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    on.slack.fail('oauth.v2.access', { error: 'invalid_refresh_token' }, 100)
    await acme.say(mention('hello?'))
    await answers(on, other, 'hello')
    const refusals = () => on.log.filter(line => line.includes('not served'))
    await until(() => refusals().length > 0)
    expect(refusals()).toEqual([
      expect.stringMatching(/^warn tacme is not served any more: Slack refuses its token \(token_expired\)/),
    ])
    expect(on.log.filter(line => line.startsWith('error'))).toEqual([])
    // A customer's token does not take the bot from the load balancer.
    expect(await readiness(on.address)).toEqual({ status: 200 })
  })
})

describe('an app that is removed', () => {
  test('is not served any more, and continues with its conversations after another installation', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await on.install('TACME')
    await answers(on, acme, 'one')
    await acme.uninstall()
    expect(await rows(on)).toEqual([])
    expect(on.log.filter(line => line.includes('was removed'))).toHaveLength(1)
    await acme.say(mention('two'))
    await on.bot.drained()
    expect(acme.posted).toHaveLength(1)
    await on.install('TACME')
    await answers(on, acme, 'three')
    expect(on.turns.at(-1)?.history.map(({ text }) => text)).toEqual(['@kiki one', 'to one', '@kiki three'])
  })

  test('while it answers posts nothing, and the bot goes on', async () => {
    await using on = await start()
    const [acme, other] = [fresh(on.slack, 'TACME'), fresh(on.slack, 'TOTHER')]
    await on.install('TACME')
    await on.install('TOTHER')
    on.answer(async turn => {
      if (turn.conversation.workspace === 'TACME') await acme.uninstall()
      return { kind: 'text', text: 'done' }
    })
    await acme.say(mention('hello'))
    await answers(on, other, 'hello')
    await until(() => on.log.some(line => line.includes('could not send')))
    expect(acme.posted).toEqual([])
    expect(on.log.filter(line => line.startsWith('error'))).toEqual([])
  })

  test('unnoticed is noticed with the next call, and another installation serves it again', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await on.install('TACME')
    await answers(on, acme, 'one')
    await acme.uninstall({ quietly: true })
    await acme.say(mention('two'))
    await until(() => on.log.some(line => line.startsWith('warn tacme is not served any more')))
    await on.install('TACME')
    await answers(on, acme, 'three')
  })

  test('by a late event is not removed again after another installation', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await on.install('TACME')
    await acme.uninstall()
    await new Promise(resolve => setTimeout(resolve, 1_000))
    await on.install('TACME')
    await on.slack.redeliver(2)
    await answers(on, acme, 'hello')
    expect(await rows(on)).toHaveLength(1)
  })
})

describe('the database', () => {
  test('that is away during an event of an unknown workspace does not lose the event', async () => {
    await using on = await start()
    const acme = fresh(on.slack, 'TACME')
    await on.db.query('alter table slack.installation rename to elsewhere')
    const { id: channel } = acme.channel('general')
    const event = {
      type: 'message',
      channel,
      channel_type: 'channel',
      user: 'UALICE',
      text: '<@UKIKI> hi',
      ts: '1767600000.000100',
    }
    const body = JSON.stringify({ type: 'event_callback', team_id: 'TACME', event })
    expect((await on.slack.request({ url: on.events, body })).status).toBe(503)
    await on.db.query('alter table slack.elsewhere rename to installation')
    await on.install('TACME')
    const again = await on.slack.request({ url: on.events, body, retry: { num: 1, reason: 'http_error' } })
    expect(again.status).toBe(200)
    await on.bot.drained()
    expect(on.turns.map(({ message }) => message.text)).toEqual(['@kiki hi'])
  })

  test('with tokens of another key stops the start, and says what to do', async () => {
    await using shared = await startShared()
    const { db, slack } = shared
    fresh(slack, 'TACME')
    {
      await using on = await start({ db, slack })
      await on.install('TACME')
    }
    const error: Error = await start({ db, slack, key: randomBytes(32).toString('hex') }).catch(error => error)
    expect(error.message).toBe(
      '[slack] The token of tacme (TACME) in the table slack.installation does not decrypt. Is SLACK_TOKEN_KEY the key with which it was stored? Put that key back. If it is lost, delete the row and install the app there again.',
    )
  })

  test('with one broken row serves the other workspaces', async () => {
    await using shared = await startShared()
    const { db, slack } = shared
    const [acme, other] = [fresh(slack, 'TACME'), fresh(slack, 'TOTHER')]
    {
      await using on = await start({ db, slack })
      await on.install('TACME')
      await on.install('TOTHER')
      // The row of another workspace does not decrypt either.
      await db.query(
        `update slack.installation set tokens = (select tokens from slack.installation where id = 'TOTHER') where id = 'TACME'`,
      )
    }
    await using on = await start({ db, slack })
    await acme.say(mention('hello?'))
    await answers(on, other, 'hello')
    expect(acme.posted).toEqual([])
    expect(on.log.filter(line => line.startsWith('error'))).toHaveLength(1)
  })
})

describe('options', () => {
  const refused = async (given: Parameters<typeof slackPlugin>[0]) => {
    const error: Error = await startWithHttp({ plugin: () => slackPlugin(given) }).catch(error => error)
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID' })
    return error.message
  }
  const given = { signingSecret: 'secret', clientId: '1.2', clientSecret: 'secret' }

  test('without the key, or with a key of another length, are refused', async () => {
    expect(await refused(given)).toContain('tokenKey: expected 32 bytes in base64 or hexadecimal, got none; set SLACK_TOKEN_KEY')
    expect(await refused({ ...given, tokenKey: 'c2hvcnQ=' })).toContain('got a key of another length or form')
    expect(await refused({ ...given, tokenKey: `${tokenKey}AAAA` })).not.toContain(tokenKey)
  })

  test('with half of the client are refused', async () => {
    expect(await refused({ signingSecret: 'secret', clientId: '1.2', tokenKey })).toContain('set SLACK_CLIENT_SECRET')
    expect(await refused({ signingSecret: 'secret', clientSecret: 'secret', tokenKey })).toContain('set SLACK_CLIENT_ID')
  })
})
