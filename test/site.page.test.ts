/** The site of the documents, as `npm run docs` builds it: its links, and its search in a browser without a network. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
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
  const pages = new Map(
    globSync('**/*.html', { cwd: site }).map(file => {
      const html = readFileSync(join(site, file), 'utf8')
      return [
        relative(site, join(site, file)),
        { html, ids: new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)) },
      ]
    }),
  )
  const dead: string[] = []
  for (const [page, { html }] of pages) {
    if (page === '404.html') continue
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (/^[a-z]+:/i.test(href)) continue
      const [path = '', part] = decodeURIComponent(href).split('#')
      const target = path === '' ? page : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path)
      const file =
        target === '' || target.endsWith('/') ? `${target}index.html` : /\.\w+$/.test(target) ? target : `${target}.html`
      const known = pages.get(file)
      if (!known || (part && !known.ids.has(part))) dead.push(`${page}: ${href}`)
    }
  }
  expect(pages.size).toBeGreaterThan(50)
  expect([...new Set(dead)]).toEqual([])
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
