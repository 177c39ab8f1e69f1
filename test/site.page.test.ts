/** The site of the documents, as `npm run docs` builds it: its links, and its search in a browser without a network. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { browserPath, openBrowser } from '../plugins/dashboard/testing/browser.ts'
import { succeeds } from '../scripts/command.ts'

const root = join(import.meta.dirname, '..')
const site = join(root, '.cache/site')

beforeAll(async () => {
  await succeeds(root, process.execPath, ['scripts/docs.ts'])
})

test('each link leads to a page, and to a part of it that exists', () => {
  const idsOf = new Map<string, ReadonlySet<string>>()
  const links: (readonly [page: string, href: string])[] = []
  for (const page of globSync('**/*.html', { cwd: site })) {
    const html = readFileSync(join(site, page), 'utf8')
    idsOf.set(page, new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id)))
    links.push(...Array.from(html.matchAll(/<a [^>]*href="([^"]+)"/g), ([, href = '']) => [page, href] as const))
  }
  const isDead = ([page, href]: (typeof links)[number]) => {
    const { origin, pathname, hash } = new URL(href, `http://site/${page}`)
    if (origin !== 'http://site') return false
    const file = decodeURIComponent(pathname).slice(1)
    const ids = idsOf.get(/(^|\/)$/.test(file) ? `${file}index.html` : file.replace(/(\.html)?$/, '.html'))
    return !ids || (hash !== '' && !ids.has(decodeURIComponent(hash).slice(1)))
  }
  expect(idsOf.size).toBeGreaterThan(50)
  expect(new Set(links.filter(([page]) => page !== '404.html').filter(isDead))).toEqual(new Set())
})

describe.skipIf(browserPath === undefined)('in a browser without a network', () => {
  test.each([
    ['/', 'spare key', 'Chat with the bot'],
    ['/ja/', '忘れて', 'ボットと話す'],
  ])('the search from %s finds %s', async (start, words, title) => {
    const server = fastify()
    server.register(fastifyStatic, { root: site })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const outside: string[] = []
      await page.route(
        url => url.origin !== address,
        route => {
          outside.push(route.request().url())
          return route.abort()
        },
      )
      await page.goto(`${address}${start}`)
      await page.locator('.VPNavBarSearchButton, .DocSearch-Button').first().click()
      await page.locator('.VPLocalSearchBox input').fill(words)
      await page.locator('.VPLocalSearchBox .result', { hasText: title }).first().click()
      await expect.poll(() => page.locator('h1').first().textContent()).toContain(title)
      expect(outside).toEqual([])
    } finally {
      await browser.close()
      await server.close()
    }
  })
})
