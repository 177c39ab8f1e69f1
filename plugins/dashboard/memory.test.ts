import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser, visit } from './browser.ts'
import { openPage, type TestPage } from './test-page.ts'
import type { FactView, PersonView, Place } from './views.ts'

const plugins = [remember(), judgeRules(), facts(), reply()]
const GENERAL = 'playground//general'

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>
const find = async (page: TestPage, text = '', conversation = GENERAL) =>
  (await json<{ facts: FactView[] }>(page.api(`facts?${new URLSearchParams({ conversation, text })}`))).facts

/** It is remembered in that room when this resolves. */
async function tell(page: TestPage, author: string, fact: string, room = 'general'): Promise<void> {
  await page.api('playground/messages', { method: 'POST', body: { room, author, text: `@kiki remember that ${fact}` } })
  const known = () => find(page, '', `playground//${encodeURIComponent(room)}`)
  await expect.poll(known).toContainEqual(expect.objectContaining({ content: expect.stringContaining(fact) }))
}

test('what the bot was told is found, with its score, where it may be told', async () => {
  await using page = await openPage({ plugins })
  await tell(page, 'alice', 'the spare key is under the blue pot')
  await tell(page, 'alice', 'my birthday is in May', '@alice')
  const { places } = await json<{ places: Place[] }>(page.api('places'))
  expect(places.map(({ conversation }) => conversation).toSorted()).toEqual(['playground//%40alice', GENERAL])
  expect(await find(page, 'where is the key?')).toMatchObject([
    {
      content: expect.stringContaining('spare key'),
      channel: 'general',
      pinned: true,
      score: expect.any(Number),
      evidence: expect.any(Number),
    },
  ])
  expect(await find(page, 'birthday')).toEqual([])
  expect(await find(page, 'birthday', 'playground//%40alice')).toMatchObject([{ visibility: 'direct' }])
  expect(await find(page, '', 'no/such/place')).toEqual([])
})

test('a fact is forgotten once', async () => {
  await using page = await openPage({ plugins })
  await tell(page, 'alice', 'the spare key is under the blue pot')
  const [fact] = await find(page)
  const forget = async () => (await page.api(`facts/${fact?.id}`, { method: 'DELETE' })).status
  expect([await forget(), await forget()]).toEqual([200, 404])
  expect(await find(page)).toEqual([])
})

test('a person is forgotten', async () => {
  await using page = await openPage({ plugins })
  await tell(page, 'alice', 'the spare key is under the blue pot')
  await page.say('bob', 'good morning')
  const people = async () => (await json<{ people: PersonView[] }>(page.api('people'))).people
  expect(await people()).toMatchObject([
    { platform: 'test', id: 'bob', messages: 1 },
    { platform: 'playground', id: 'alice', messages: 1 },
  ])
  expect((await page.api('people/forget', { method: 'POST', body: { platform: 'playground', id: 'alice' } })).status).toBe(200)
  await expect.poll(people, { timeout: 15_000 }).toMatchObject([{ id: 'bob' }])
  expect(await find(page)).toEqual([])
})

test('without a plugin for facts it says so', async () => {
  await using page = await openPage()
  expect(await json(page.api(`facts?conversation=${GENERAL}`))).toEqual({ kept: false, facts: [] })
})

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  test('one looks for a fact, forgets it, and forgets a person by typing their name', async () => {
    await using bot = await openPage({ plugins })
    await tell(bot, 'alice', 'the spare key is under the blue pot')
    await tell(bot, 'bob', 'the train leaves at ten')
    await using seen = await visit(browser, `${bot.url}/#/memory`)
    const { page, problems, picture } = seen
    await page.getByText('the train leaves at ten').first().waitFor()
    await page.getByRole('searchbox').fill('where is the key?')
    await page.keyboard.press('Enter')
    await page.getByText('the train leaves at ten').waitFor({ state: 'detached' })
    await picture('memory')
    await page.getByRole('button', { name: /Forget “.*spare key/ }).click()
    await page.getByRole('button', { name: 'Really forget?' }).click()
    await page.getByText('Nothing comes to mind.').or(page.getByText('Nothing is remembered')).waitFor()

    await page.getByRole('button', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Forget bob' }).click()
    const name = page.getByRole('textbox', { name: /Type the name/ })
    await name.fill('alice')
    await page.keyboard.press('Enter')
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await picture('forget')
    await name.fill('bob')
    await page.keyboard.press('Enter')
    await page.getByText('bob is being forgotten').waitFor()
    expect(problems).toEqual([])
  }, 60_000)
})
