/** A person at the page: with a mouse, or with the keyboard alone. What the person does is counted by the browser. */
import type { Browser, Locator, Page } from 'playwright-core'
import { visit } from '../../../plugins/dashboard/testing/browser.ts'
import type { SeededBot } from './bot.ts'

export interface Counted {
  readonly clicks: number
  readonly keys: number
}

export interface Hand extends AsyncDisposable {
  readonly by: 'mouse' | 'keyboard'
  readonly page: Page
  /** A link, a button, a box or a summary. */
  press(target: Locator): Promise<void>
  /** Replaces the text of a field. */
  write(target: Locator, text: string): Promise<void>
  /** Chooses from a list by its first letters. A click opens it and another one chooses. */
  choose(target: Locator, text: string): Promise<void>
  enter(): Promise<void>
  reload(): Promise<void>
  counted(): Promise<Counted>
}

const COUNT = `
  window.counted = { clicks: 0, keys: 0 }
  addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) counted.clicks++ }, true)
  addEventListener('keydown', ({ isTrusted }) => { if (isTrusted) counted.keys++ }, true)`

/** Presses of Tab after which a target counts as out of reach. */
const FAR = 400

async function opened(browser: Browser, bot: SeededBot) {
  const seen = await visit(browser, 'about:blank')
  const { page } = seen
  page.setDefaultTimeout(60_000)
  await page.addInitScript(COUNT)
  await page.context().addCookies([{ name: 'kikimimi_session', value: bot.session, url: bot.url() }])
  await page.goto(bot.url())
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const before = { clicks: 0, keys: 0 }
  const here = () => page.evaluate('counted') as Promise<Counted>
  return {
    page,
    before,
    async reload() {
      const { clicks, keys } = await here()
      before.clicks += clicks
      before.keys += keys
      await page.reload()
    },
    async counted() {
      const { clicks, keys } = await here()
      return { clicks: before.clicks + clicks, keys: before.keys + keys }
    },
    enter: () => page.keyboard.press('Enter'),
    [Symbol.asyncDispose]: () => seen[Symbol.asyncDispose](),
  }
}

async function replace(page: Page, target: Locator, text: string): Promise<void> {
  if ((await target.inputValue()) !== '') await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

export async function mouse(browser: Browser, bot: SeededBot): Promise<Hand> {
  const open = await opened(browser, bot)
  const { page, before } = open
  return {
    ...open,
    by: 'mouse',
    press: target => target.click(),
    async write(target, text) {
      // Some fields have the focus already.
      if (!(await target.evaluate(one => one === one.ownerDocument.activeElement))) await target.click()
      await replace(page, target, text)
    },
    async choose(target, text) {
      // The list of the browser belongs to no page.
      before.clicks += 2
      await target.selectOption({ label: text })
    },
  }
}

export async function keyboard(browser: Browser, bot: SeededBot): Promise<Hand> {
  const open = await opened(browser, bot)
  const { page } = open
  async function reach(target: Locator): Promise<void> {
    await target.waitFor()
    const isHere = () => target.evaluate(one => one === one.ownerDocument.activeElement)
    for (let presses = 0; !(await isHere()); presses++) {
      if (presses > FAR) throw new Error(`${target} is not reached with the Tab key`)
      await page.keyboard.press('Tab')
    }
  }
  return {
    ...open,
    by: 'keyboard',
    async press(target) {
      await reach(target)
      const isBox = await target.evaluate(one => one.matches('input'))
      await page.keyboard.press(isBox ? 'Space' : 'Enter')
    },
    async write(target, text) {
      await reach(target)
      await replace(page, target, text)
    },
    async choose(target, text) {
      await reach(target)
      await page.keyboard.type(text)
    },
  }
}
