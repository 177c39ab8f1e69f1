/** Ctrl-C in a terminal, as a real process with every platform, while a browser watches the bot. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { startDiscord } from '@kikimimi/discord/testing'
import { startSlack } from '@kikimimi/slack/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../core/testing/free-port.ts'
import { browserPath, openBrowser, visit } from '../plugins/dashboard/testing/browser.ts'

const root = join(import.meta.dirname, '..')
const PASSWORD = 'a long enough password'
/** Milliseconds. Generous, because a busy machine is slow. */
const WAIT = 240_000

// `script` of util-linux lends the process a terminal.
describe.skipIf(browserPath === undefined || process.platform !== 'linux')('in a terminal', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test.each(['', PASSWORD])(
    'Ctrl-C ends the bot while a browser watches it, with the password %j',
    async password => {
      await using scope = new AsyncDisposableStack()
      const discord = scope.use(await startDiscord())
      const slack = scope.use(await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
      const http = `127.0.0.1:${await freePort()}`
      const command = [process.execPath, 'packages/cli/cli.ts', 'start', '--config', 'test/dashboard.config.ts']
      const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command.join(' '), '/dev/null'], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: {
          ...{ PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', USER: 'alice', LOG_LEVEL: 'info' },
          ...{ KIKIMIMI_HTTP: http, DASHBOARD_PASSWORD: password },
          ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl },
          ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
        },
      })
      const exited = once(child, 'exit')
      scope.defer(async () => {
        child.kill('SIGKILL')
        await exited
      })
      let written = ''
      child.stdout.setEncoding('utf8').on('data', chunk => {
        written += chunk
      })
      const screen = () => stripVTControlCharacters(written)
      await expect.poll(screen).toContain('kiki is listening')
      const isReady = () =>
        fetch(`http://${http}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await expect.poll(isReady).toBe(true)

      const seen = scope.use(await visit(browser, `http://${http}/#/live`))
      if (password !== '') {
        await seen.page.getByLabel('Password').fill(password)
        await seen.page.keyboard.press('Enter')
      }
      await seen.page.getByRole('heading', { name: 'No activity yet' }).waitFor()
      child.stdin.write('@kiki are you there?\r')
      await seen.page.getByRole('button', { name: /are you there/ }).waitFor()

      child.stdin.write('\u0003')
      const [code, signal] = await exited
      expect({ code, signal }).toEqual({ code: 0, signal: null })
      await seen.page.getByText('Connection lost').waitFor()
    },
    WAIT,
  )
})
