/** The Memory page in a browser. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { borrowedFacts, fact, place } from '../../facts/test-memory.ts'
import { visit } from './browser.ts'
import { openPage, type TestPageOptions } from './open-page.ts'

export const room = (name: string, visibility: 'public' | 'private' | 'direct' = 'public') =>
  place(name, { platform: 'playground', workspace: '', visibility })

/** The Memory page of a bot with facts from alice and bob. */
export async function openMemory(browser: Browser, how: BrowserContextOptions = {}, options: TestPageOptions = {}) {
  const { plugins, store } = borrowedFacts()
  await using opening = new AsyncDisposableStack()
  const bot = opening.use(await openPage({ plugins: [addressing(), judgeRules(), ...plugins, reply()], ...options }))
  const say = async (author: string, text: string) => {
    const answer = await bot.api('playground/messages', { method: 'POST', body: { room: 'general', author, text } })
    return ((await answer.json()) as { id: string }).id
  }
  const source = async (author: string, quote: string) => [{ message: await say(author, quote), author, quote }]
  const keep = (content: string, more: object = {}) => store().add(fact(content, { conversation: room('general'), ...more }))
  const sources = await source('alice', 'I put the spare key under the blue pot')
  await keep('The spare key is under the blue pot', { sources, kind: 'durable', people: ['alice'], confidence: 0.9 })
  const train = { subject: 'train to Ueno', relation: 'date' }
  const first = { ...train, value: '10:00', sources: await source('bob', 'the train leaves at ten') }
  const old = await keep('The train to Ueno leaves at ten', first)
  const then = { ...train, value: '10:30', conversation: room('general') }
  const now = fact('The train to Ueno leaves at half past ten now', then)
  await store().supersede([old.id], { ...now, sources: await source('bob', 'no: half past ten now'), confidence: 0.6 })
  const seen = opening.use(await visit(browser, `${bot.url}/#/memory/facts`, how))
  const open = opening.move()
  return { ...seen, bot, keep, store, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

export const keyFact = (page: Page) => page.getByRole('button', { name: /^The spare key is/ })
