/** One bot in several workspaces: by tokens of bot.config.ts. The ids of channels and people are the same in each. */
import { type SlackEmulator, type SlackTeam, startSlack } from '@kikimimi/slack/testing'
import { Channels, definePlugin } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { type BotOptions, mention, readiness, startOnSlack, startWithHttp, until } from './test-bot.ts'

interface Teams {
  readonly slack: SlackEmulator
  readonly north: SlackTeam
  readonly south: SlackTeam
}

/** An emulator with three workspaces. */
async function startTeams(options: Parameters<typeof startSlack>[0] = {}): Promise<Teams> {
  const slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' }, ...options })
  const north = slack.team('TNORTH', { bot: { id: 'UKITA', name: 'kita' } })
  return { slack, north, south: slack.team('TSOUTH') }
}

const over = ({ slack, north, south }: Teams, botToken = [slack, north, south].map(team => team.botToken).join(', ')) =>
  slackPlugin({ botToken, appToken: slack.appToken, apiUrl: slack.apiUrl, timeout: '800ms' })

async function start(options: BotOptions & { readonly teams?: Teams } = {}) {
  const teams = options.teams ?? (await startTeams())
  const on = await startOnSlack({ there: teams.slack, plugin: () => over(teams), ...options })
  return {
    ...on,
    ...teams,
    all: [teams.slack, teams.north, teams.south],
    async [Symbol.asyncDispose]() {
      await on.bot.stop()
      await teams.slack.close()
    },
  }
}

const posted = ({ posted }: SlackTeam) => posted.map(({ text }) => text)

describe.concurrent('a bot with several tokens', () => {
  test('answers in each workspace with the token of that workspace', async () => {
    await using on = await start()
    await Promise.all(on.all.map(team => team.say(mention(`hi from ${team.id}`))))
    await until(() => on.all.every(({ posted }) => posted.length === 1))
    expect(on.all.map(posted)).toEqual([['to hi from TKIKIMIMI'], ['to @kita hi from TNORTH'], ['to hi from TSOUTH']])
    expect(
      on.turns.map(({ conversation, me }) => [conversation.workspace, conversation.details?.workspaceName, me]).sort(),
    ).toEqual([
      ['TKIKIMIMI', 'kikimimi', { id: 'UKIKI', name: 'kiki', bot: true }],
      ['TNORTH', 'tnorth', { id: 'TNORTH/UKITA', name: 'kita', bot: true }],
      ['TSOUTH', 'tsouth', { id: 'TSOUTH/UKIKI', name: 'kiki', bot: true }],
    ])
  })

  test('notifies people, and writes to them directly, in their workspace', async () => {
    const responder = definePlugin({
      name: 'pinger',
      needs: [Channels],
      setup: ctx => ({
        respond: () => ({ kind: 'text', text: 'yes' }),
        async after({ conversation, message: { author } }) {
          const reply = { kind: 'text', text: `hello ${author.name}` } as const
          await ctx.send(conversation, reply, { sources: 'none', notify: [author] })
          const direct = await ctx.use(Channels).direct(conversation, author)
          if (direct) await ctx.send(direct, reply, { sources: 'none' })
        },
      }),
    })()
    await using on = await start({ responder })
    await on.north.say(mention('hi'))
    await until(() => on.north.posted.length === 3)
    const [, said, directly] = on.slack.calls.filter(({ method }) => method === 'chat.postMessage').map(({ args }) => args)
    expect(said?.text).toMatch(/^hello <@U[A-Z]+>$/)
    expect(directly).toMatchObject({ text: 'hello alice' })
    expect(directly?.channel).not.toBe(said?.channel)
  })

  test('tells people, channels and messages of one id apart', async () => {
    await using on = await start()
    const ts = '1767600000.000100'
    await on.south.renameUser('alice', 'アリス')
    for (const [index, team] of on.all.entries()) {
      const author = team === on.south ? 'アリス' : 'alice'
      await team.say({ ...mention(`number ${index}`), author, ts })
    }
    await until(() => on.turns.length === 3)
    await on.bot.drained()
    const seen = on.turns.map(({ conversation, message, history }) => [
      conversation.id,
      message.author,
      history.map(({ text }) => text),
    ])
    expect(seen.sort()).toEqual([
      ['slack/TKIKIMIMI/CGENERAL', { id: 'UALICE', name: 'alice' }, ['@kiki number 0']],
      ['slack/TNORTH/CGENERAL', { id: 'TNORTH/UALICE', name: 'alice' }, ['@kita number 1']],
      ['slack/TSOUTH/CGENERAL', { id: 'TSOUTH/UALICE', name: 'アリス' }, ['@kiki number 2']],
    ])
  })

  test('takes a mention of its account in another workspace for one of another bot', async () => {
    await using on = await start()
    await on.north.say({ author: 'alice', channel: 'general', text: '<@UKIKI> hello', raw: true })
    await on.north.say(mention('hello'))
    await until(() => on.turns.length > 0)
    await on.bot.drained()
    expect(on.turns.filter(({ addressed }) => addressed).map(({ message }) => message.text)).toEqual(['@kita hello'])
    expect(on.slack.posted).toEqual([])
  })

  test('reads files, reacts and shows its thinking with the token of the workspace', async () => {
    await using on = await start()
    on.answer(({ message }) => ({ kind: 'reaction', emoji: '👍', to: message.id }))
    await on.south.say({ ...mention('look'), files: [{ name: 'a.txt', mimetype: 'text/plain', content: Buffer.from('x') }] })
    await until(() => on.south.reactions.length === 1)
    expect([on.slack.reactions, on.north.reactions, on.south.reactions]).toEqual([[], [], ['+1']])
    const statuses = on.slack.calls.filter(({ method }) => method === 'assistant.threads.setStatus')
    expect(new Set(statuses.map(({ team }) => team))).toEqual(new Set(['TSOUTH']))
  })

  test('answers commands and follows reactions and edits in their workspace', async () => {
    await using on = await start()
    await on.south.command('alice', 'general', '/kiki', 'what time is it?')
    await until(() => on.south.posted.length === 1)
    const { ts } = await on.north.say(mention('one'))
    await until(() => on.north.posted.length === 1)
    await on.north.react('bob', 'general', ts, 'wave')
    await on.north.say(mention('two'))
    await until(() => on.north.posted.length === 2)
    expect(on.turns.at(-1)?.history[0]?.reactions).toEqual([{ emoji: '👋', by: ['TNORTH/UBOB'] }])
    expect(on.slack.posted).toEqual([])
  })

  test('serves all workspaces of an organization with one org-wide token', async () => {
    const teams = await startTeams()
    const org = { id: 'EORG', name: 'org' }
    const [east, west] = [teams.slack.team('TEAST', { org }), teams.slack.team('TWEST', { org })]
    await using on = await start({ teams, plugin: () => over(teams, [teams.slack, east].map(one => one.botToken).join()) })
    await east.say(mention('hi east'))
    await west.say(mention('hi west'))
    // Founded later.
    const late = teams.slack.team('TLATE', { org })
    await late.say(mention('hi late'))
    await until(() => [east, west, late].every(({ posted }) => posted.length === 1))
    expect(on.turns.map(({ conversation }) => [conversation.workspace, conversation.details?.workspaceName]).sort()).toEqual([
      ['TEAST', 'teast'],
      ['TLATE', 'tlate'],
      ['TWEST', 'twest'],
    ])
  })

  test('takes a message of a shared channel for the installation that Slack names', async () => {
    await using on = await start()
    const { id: channel } = on.south.channel('general')
    const said = { type: 'message', channel, channel_type: 'channel', user: 'USTRANGER', ts: '1767600000.000100' } as const
    const event = { ...said, text: '<@UKIKI> hello', event_ts: said.ts, subtype: undefined }
    await on.south.event(event, { team: 'TNORTH', installedIn: 'TSOUTH', isShared: true })
    await until(() => on.south.posted.length === 1)
    expect(on.turns.map(({ conversation: { workspace, readers } }) => [workspace, readers])).toEqual([
      ['TSOUTH', { outsiders: true }],
    ])
    expect([...on.north.posted, ...on.slack.posted]).toEqual([])
  })

  test('ignores events of a workspace without a token, with one log line', async () => {
    const teams = await startTeams()
    await using on = await start({ teams, plugin: () => over(teams, [teams.slack.botToken, teams.north.botToken].join()) })
    for (const text of ['one', 'two']) await on.south.say(mention(text))
    await on.north.say(mention('three'))
    await until(() => on.north.posted.length === 1)
    expect(on.turns).toHaveLength(1)
    expect(on.log.filter(line => line.includes('TSOUTH'))).toEqual([
      expect.stringMatching(/^warn events of the workspace TSOUTH are ignored: the bot has no token of it/),
    ])
  })

  test('goes on in the others when Slack refuses the token of one, with one log line', async () => {
    const teams = await startTeams()
    const http = await startWithHttp({ there: teams.slack, plugin: () => over(teams) })
    await using on = { ...http, ...teams }
    await teams.north.say(mention('before'))
    await until(() => teams.north.posted.length === 1)
    await teams.north.uninstall({ quietly: true })
    await teams.north.say(mention('after'))
    await teams.south.say(mention('and here?'))
    await until(() => teams.south.posted.length === 1 && on.log.some(line => line.startsWith('error')))
    await teams.north.say(mention('again'))
    await on.bot.drained()
    const told = on.log.filter(line => line.startsWith('error'))
    expect(told).toEqual([
      expect.stringMatching(
        /^error tnorth is not served any more: Slack refuses its token \(account_inactive\); install the app/,
      ),
    ])
    expect(teams.north.posted).toHaveLength(1)
    expect(await readiness(on.address)).toEqual({
      status: 503,
      why: 'Slack refuses the token of tnorth (account_inactive)',
    })
    await teams.slack.close()
  })

  test('ends when Slack refuses the last token', async () => {
    await using on = await start()
    for (const team of on.all) await team.uninstall({ quietly: true })
    for (const team of on.all) await team.say(mention('hello?'))
    await expect(on.bot.failed).rejects.toThrow(/^\[slack\] Slack refuses the bot token \(account_inactive\)/)
  })

  test('reads at the speed that Slack allows in each workspace', async () => {
    // As for distributed apps, but every two seconds.
    const teams = await startTeams({ historyEvery: 2 })
    await using on = await start({ teams })
    for (const team of on.all) await team.say(mention('before'))
    await until(() => on.all.every(({ posted }) => posted.length === 1))
    for (const team of on.all) await team.say({ ...mention('missed'), quietly: true })
    on.slack.cut()
    await until(() => on.all.every(({ posted }) => posted.length === 2))
    await on.bot.drained()
    expect(on.all.map(({ posted }) => posted.length)).toEqual([2, 2, 2])
  })

  test('reads what it missed in one workspace while another one limits its history', async () => {
    await using on = await start()
    for (const team of on.all) await team.say(mention('before'))
    await until(() => on.all.every(({ posted }) => posted.length === 1))
    on.slack.fail('conversations.history', { rateLimit: true, retryAfter: 60 }, 100, 'TKIKIMIMI')
    for (const team of on.all) await team.say({ ...mention('missed'), quietly: true })
    on.slack.cut()
    await until(() => [on.north, on.south].every(({ posted }) => posted.length === 2))
    expect(on.slack.posted).toHaveLength(1)
  })
})

describe.concurrent('at the start', () => {
  test('two tokens of one workspace are refused', async () => {
    const teams = await startTeams()
    const token = teams.north.botToken
    const plugin = () => over(teams, `${token},${teams.slack.issue('TNORTH')}`)
    const error: Error = await startOnSlack({ there: teams.slack, plugin }).catch(error => error)
    expect(error.message).toBe(
      '[slack] Two bot tokens are of the same workspace, tnorth (TNORTH). Keep one of them in SLACK_BOT_TOKEN, or botToken in bot.config.ts.',
    )
    await teams.slack.close()
  })

  test('one token twice, and a token of another kind, are refused before the start', async () => {
    const teams = await startTeams()
    const token = teams.slack.botToken
    const failed = (botToken: string) =>
      startOnSlack({ there: teams.slack, plugin: () => over(teams, botToken) }).catch((error: Error) => error.message)
    expect(await failed(`${token},${token}`)).toContain('expected each bot token once')
    expect(await failed(`${token},xoxp-1-user`)).toContain('begins with xoxb-')
    await teams.slack.close()
  })

  test('a refused token of one workspace does not stop the others', async () => {
    const teams = await startTeams()
    await teams.north.uninstall({ quietly: true })
    await using on = await start({ teams })
    await on.south.say(mention('hi'))
    await until(() => on.south.posted.length === 1)
    expect(on.log.filter(line => line.startsWith('error'))).toEqual([
      expect.stringMatching(/^error a workspace is not served: \[slack\] Slack refuses the bot token \(account_inactive\)/),
    ])
  })
})
