/** The ten jobs. Each ends with what the database, a file or the API says about it. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { OptionView } from '../../../plugins/dashboard/channels/views.ts'
import type { CostsView } from '../../../plugins/dashboard/costs/views.ts'
import type { RatingView } from '../../../plugins/dashboard/evaluation/views.ts'
import type { StudioView } from '../../../plugins/dashboard/studio/views.ts'
import type { SeededBot } from './bot.ts'
import type { Hand } from './hand.ts'
import { DEV, silentTime } from './talk.ts'

export interface Job {
  readonly name: string
  readonly isAlsoByKeyboard?: boolean
  /** Throws if it is not done. */
  run(hand: Hand, bot: SeededBot): Promise<void>
}

const MINUTE = 60_000
/** The score up to which the judge is not asked, which halves the cost. */
const HALVING = 45
/** Messages that a replay reads. */
const LATEST = 2_000

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const JOBS: readonly Job[] = [
  {
    name: 'why was it silent yesterday at 14:10 in #dev',
    isAlsoByKeyboard: true,
    async run({ page, press, write, enter }, { db }) {
      await press(link(page, 'Turns'))
      await write(page.getByPlaceholder('Channel'), 'dev')
      await enter()
      await page.getByRole('button', { name: 'Remove the filter Channel: #dev' }).waitFor()
      // The field takes digits, part by part.
      const time = silentTime()
      const two = (n: number) => String(n).padStart(2, '0')
      await write(page.getByLabel('Up to'), `${two(time.getMonth() + 1)}${two(time.getDate())}${time.getFullYear()}`)
      await page.keyboard.type('0210PM')
      await page.waitForURL(({ hash }) => hash.includes('until='))
      const first = page.locator('.turn-lines li').first()
      await first.getByText('14:10').or(first.getByText('2:10')).waitFor()
      await press(first.getByRole('link'))
      const { rows } = await db.query<{ turn: string; outcome: string; why: string }>(
        `select turn, outcome, data->'decision'->>'why' as why from kikimimi_v1.trace
         where conversation = $1 and at >= $2 and at < $3 order by at desc limit 1`,
        [DEV, time, new Date(time.getTime() + MINUTE)],
      )
      equal(rows[0]?.outcome, 'silent')
      await page.getByRole('heading', { name: 'Turn', exact: true }).waitFor()
      equal(new URL(page.url()).hash.includes(encodeURIComponent(rows[0].turn)), true)
      await page
        .locator('main')
        .getByText(rows[0].why.split(' · ')[0] ?? '', { exact: false })
        .first()
        .waitFor()
    },
  },
  {
    name: 'what costs most, and what would halve it',
    isAlsoByKeyboard: true,
    async run({ page, press, write, enter }, { db, api }) {
      await press(link(page, 'Costs'))
      await press(link(page, 'Spend less in #dev'))
      await write(page.getByLabel('low', { exact: true }), String(HALVING))
      await enter()
      await page.getByText('Changed: judge-llm.low').waitFor({ timeout: 5 * MINUTE })
      const [today = Number.NaN, changed = Number.NaN] = await figures(page, 'Total')
      ok(today > 0 && changed <= today / 2, `it costs ${changed} instead of ${today}`)
      const week = 7 * 24 * 60 * MINUTE
      const { groups } = await api<CostsView>(
        `costs?by=place&from=${new Date(Date.now() - week).toISOString()}&to=${new Date().toISOString()}`,
      )
      equal(groups[0]?.key, DEV)
      // The same from the turns of the time: those for which the judge would not have been asked cost nothing.
      const { rows } = await db.query<{ saved: number }>(SAVED, [DEV, HALVING, LATEST])
      const saved = 1 - changed / today
      ok(Math.abs(saved - (rows[0]?.saved ?? 0)) < 0.1, `it saves ${saved}, and by the turns ${rows[0]?.saved}`)
    },
  },
  {
    name: 'make it quieter there, and prove it by replay first',
    async run({ page, press, write, enter }, { api }) {
      await press(link(page, 'Channels'))
      await write(page.getByRole('searchbox'), 'dev')
      await press(page.getByRole('link', { name: /^#dev / }))
      await press(link(page, 'Try other options'))
      await write(page.getByLabel('speaksFrom', { exact: true }), '0.7')
      await enter()
      await page.getByRole('heading', { name: /^Different results/ }).waitFor({ timeout: 5 * MINUTE })
      const [silentToday = Number.NaN, silent = Number.NaN] = await figures(page, 'Silent')
      ok(silent > silentToday, `silent for ${silent} of 100 messages instead of ${silentToday}`)
      await press(button(page, 'Apply here'))
      await page.getByText('Set for #dev.').waitFor()
      const { settings } = await api<{ settings: readonly OptionView[] }>(
        `channel/settings?conversation=${encodeURIComponent(DEV)}`,
      )
      const one = settings.find(found => found.plugin === 'judge-llm' && found.option === 'speaksFrom')
      equal(one?.value, 0.7)
    },
  },
  {
    name: 'correct what it knows of Alice',
    async run({ page, press, write, enter }, { db }) {
      await press(link(page, 'Memory'))
      await press(button(page, 'People'))
      await write(page.getByRole('searchbox'), 'Alice')
      await enter()
      await press(link(page, 'Facts about Alice'))
      await press(page.getByRole('button', { name: /Oslo/ }).first())
      await press(button(page, 'Edit'))
      await write(page.getByLabel('Text', { exact: true }), 'Alice lives in Bergen')
      await enter()
      await page.getByRole('button', { name: /^Alice lives in Bergen/ }).waitFor()
      const { rows } = await db.query<{ content: string }>(`select content from facts.fact where content ~ 'Oslo|Bergen'`)
      deepEqual(rows, [{ content: 'Alice lives in Bergen' }])
    },
  },
  {
    name: 'try another persona on yesterday’s ten worst answers',
    isAlsoByKeyboard: true,
    async run({ page, press, write }, { api }) {
      await press(link(page, 'Evaluation'))
      await press(button(page, 'Latest 10 bad'))
      await write(page.getByLabel('Character'), 'You are a pirate.')
      await press(button(page, 'Take these again'))
      await page.locator('.side-by-side').waitFor({ timeout: 5 * MINUTE })
      const turns = await page
        .locator('.side-by-side > li > p a')
        .evaluateAll(links => links.map(one => one.getAttribute('href')))
      const said = await page.locator('.side-by-side dd .text').allInnerTexts()
      const { ratings } = await api<{ ratings: readonly RatingView[] }>('ratings')
      const worst = ratings.filter(one => !one.good).slice(0, 10)
      deepEqual(turns.sort(), worst.map(one => `#/turns/${encodeURIComponent(one.turn)}`).sort())
      equal(said.length, 20)
      for (const [index, text] of said.entries()) match(text, index % 2 === 0 ? /^It depends/ : /^Arr/)
    },
  },
  {
    name: 'change persona and model without touching a file',
    async run({ page, press, write, choose, enter }, { settings, api }) {
      await press(link(page, 'Settings studio'))
      await press(button(page, 'Change persona.prompt'))
      await write(page.getByLabel('persona.prompt', { exact: true }), 'You are a pirate.')
      await enter()
      await press(button(page, 'Change models.chat'))
      await choose(page.getByLabel('models.chat', { exact: true }), 'small')
      await press(button(page, 'Save'))
      await press(button(page, 'Save changes (2)'))
      await page.getByText('Saved and applied.').waitFor()
      const { persona, models } = await settings()
      deepEqual([persona?.prompt, models?.chat], ['You are a pirate.', 'small'])
      // The next answer has both.
      await api('playground/messages', {
        method: 'POST',
        body: { room: 'general', author: 'bob', text: 'kiki, how are you?' },
      })
      await until(page, async () => JSON.stringify(await api('playground/messages?room=general')).includes('Arr, says small.'))
    },
  },
  {
    name: 'enable a plugin',
    async run({ page, press }, { settings, api }) {
      await press(link(page, 'Settings studio'))
      await press(page.locator('summary', { hasText: /^quiet/ }))
      await press(page.getByLabel('quiet is on'))
      await press(button(page, 'Save changes (1)'))
      await page.getByText('Saved and applied.').waitFor()
      equal((await settings()).plugins?.quiet, undefined)
      const { plugins } = await api<StudioView>('studio')
      equal(plugins.find(one => one.name === 'quiet')?.enabled, true)
    },
  },
  {
    name: 'connect Slack',
    async run({ page, press, write, enter, reload }, { slack, connectSlack }) {
      await press(link(page, 'Settings studio'))
      await press(page.locator('summary', { hasText: /^slack/ }))
      await write(page.getByLabel('SLACK_BOT_TOKEN'), slack.botToken)
      await write(page.getByLabel('SLACK_APP_TOKEN'), slack.appToken)
      await enter()
      await page.getByRole('status').getByRole('listitem').first().waitFor()
      equal(await page.locator('[role=status] .danger').count(), 0)
      // Outside of the page: the tokens go into the environment.
      await connectSlack()
      await reload()
      await press(page.locator('summary', { hasText: /^slack connected/ }))
      await press(button(page, 'Check slack now'))
      await page
        .getByRole('link', { name: /slack\.com/ })
        .last()
        .waitFor()
      await slack.say({ author: 'alice', channel: 'general', text: 'how are you?', mention: true })
      await until(page, async () => slack.posted.length > 0)
    },
  },
  {
    name: 'who changed the threshold',
    async run({ page, press, write }, { db }) {
      await press(link(page, 'Access'))
      await write(page.getByRole('searchbox', { name: 'Find a change' }), 'threshold')
      const row = page.getByRole('row', { name: /plugins\.judge-rules\.options\.threshold/ })
      await row.getByRole('cell', { name: 'mika', exact: true }).waitFor()
      const { rows } = await db.query<{ account: string }>(
        `select account from dashboard.change where about->>'settings' like '%threshold%'`,
      )
      deepEqual(rows, [{ account: 'mika' }])
    },
  },
  {
    name: 'back up',
    isAlsoByKeyboard: true,
    async run({ page, press }, { backups }) {
      const had = (await readdir(backups).catch(() => [])).length
      await press(link(page, 'Operations'))
      await press(button(page, 'Backups'))
      await press(button(page, 'Back up now'))
      await page
        .locator('.entries li')
        .nth(had)
        .waitFor({ timeout: 5 * MINUTE })
      ok((await readdir(backups)).length > had, 'the folder has no new backup')
    },
  },
]

/** Waits for what the page does not show. */
async function until(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + MINUTE
  while (!(await isDone())) {
    ok(Date.now() < end, `a minute is over, and still not: ${isDone}`)
    await page.waitForTimeout(100)
  }
}

/** The figures of a row of the replay: of the current and of the changed options. */
async function figures(page: Page, title: string): Promise<readonly number[]> {
  const texts = await page
    .getByRole('row', { name: new RegExp(`^${title} `) })
    .getByRole('cell')
    .allInnerTexts()
  return texts.map(Number.parseFloat)
}

/** The share of the cost of the turns of the latest messages that calls of the judge up to a score have, with what was answered after them. */
const SAVED = `
  with latest as (
    select min(at) as since from (select at from kikimimi.message where conversation = $1 order by at desc limit $3) m
  ), call as (
    select used.cost, coalesce((data->'score'->>'points')::float8 <= $2 and exists (
      select 1 from jsonb_array_elements(data->'models') one where one->>'role' = 'judge'
    ), false) as saved
    from latest, kikimimi.trace, jsonb_to_recordset(data->'models') as used(cost float8)
    where conversation = $1 and at >= since
  )
  select sum(cost) filter (where saved) / sum(cost) as saved from call`
