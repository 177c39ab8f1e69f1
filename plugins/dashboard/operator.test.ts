import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openPage, type TestPage } from './test-page.ts'
import type { ChannelView, TurnView } from './views.ts'

const plugins = [quiet(), judgeRules(), memorySummary(), reply()]
const DEV = 'test/team/dev'

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>
const turns = async (page: TestPage) => (await json<{ turns: TurnView[] }>(page.api('turns'))).turns

/** Says something and waits until the bot has looked at it. */
async function heard(page: TestPage, text: string): Promise<void> {
  const before = (await turns(page)).length
  await page.say('bob', text)
  await expect.poll(async () => (await turns(page)).length).toBe(before + 1)
}

test('channels are listed with what happened in them', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'the train leaves at ten')
  await heard(page, 'kiki, when does the train leave?')
  const { channels } = await json<{ channels: ChannelView[] }>(page.api('channels'))
  expect(channels).toMatchObject([
    { place: { conversation: DEV, platform: 'test', name: 'dev' }, waiting: 0, turns: 2, replies: 1, heard: expect.any(String) },
  ])
})

test('a channel is told to be quiet, and to talk again, in the language of the page', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  const status = async () => (await json<{ status: string }>(page.api(`channel?conversation=${DEV}`))).status
  const order = (command: string, locale = 'en') =>
    page.api('channel/command', { method: 'POST', body: { conversation: DEV, command, locale } })
  expect(await json(order('quiet 1h'))).toEqual({ answer: 'I’ll be quiet here for an hour. Who calls me is answered.' })
  expect(await status()).toContain('I was asked to be quiet here')
  expect(await json(order('talk', 'ja'))).toEqual({ answer: 'またここで話すね。' })
  expect(await status()).not.toContain('quiet')
  expect((await order('forget everybody')).status).toBe(400)
  expect((await page.api('channel?conversation=test/team/none')).status).toBe(404)
})

test('without quiet() one is told why the bot cannot be', async () => {
  await using page = await openPage()
  await heard(page, 'good morning')
  const answer = await page.api('channel/command', { method: 'POST', body: { conversation: DEV, command: 'quiet 1h' } })
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { message: 'quiet() is not in bot.config.ts: add it, and the bot can be told to be quiet.' },
  ])
})

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('one looks at the channels and tells the bot to be quiet', async () => {
    await using bot = await openPage({ plugins })
    await heard(bot, 'kiki, are you there?')
    await using seen = await visit(browser, `${bot.url}/#/channels`)
    const { page, problems, picture } = seen
    await page.getByRole('button', { name: /#dev test/ }).click()
    await page.getByRole('button', { name: 'Quiet for an hour' }).click()
    await page.getByText('I was asked to be quiet here').waitFor()
    await picture('channels')
    expect(problems).toEqual([])
  }, 60_000)
})
