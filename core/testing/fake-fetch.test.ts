import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { definePlugin } from 'kikimimi'
import { expect, it } from 'vitest'
import { fakeFetch, type WebScript } from './fake-fetch.ts'
import { testBot } from './test-bot.ts'

const TODAY = 'https://weather.example/today'

it('answers with texts, JSON, errors, lists and functions, and keeps the requests', async () => {
  const { fetch: real } = globalThis
  {
    using web = fakeFetch({
      [TODAY]: { json: { rain: true } },
      'POST https://hooks.example/*': ({ body }) => ({ status: 201, headers: { 'x-length': String(body.length) } }),
      'https://list.example/': ['one', new TypeError('fetch failed')],
    })
    const weather = await fetch(`${TODAY}?city=Osaka`, { headers: { 'X-Key': 'k' } })
    expect([weather.ok, weather.url, await weather.json()]).toEqual([true, `${TODAY}?city=Osaka`, { rain: true }])
    const posted = await fetch(new Request('https://hooks.example/1/2', { method: 'POST', body: 'four' }))
    expect([posted.status, posted.headers.get('x-length')]).toEqual([201, '4'])
    expect(await (await fetch(new URL('https://list.example/'))).text()).toBe('one')
    await expect(fetch('https://list.example/')).rejects.toThrow('fetch failed')
    expect(web.requests).toMatchObject([
      { method: 'GET', url: `${TODAY}?city=Osaka`, headers: { 'x-key': 'k' }, body: '' },
      { method: 'POST', url: 'https://hooks.example/1/2', body: 'four' },
      { url: 'https://list.example/' },
      { url: 'https://list.example/' },
    ])
  }
  expect(globalThis.fetch).toBe(real)
})

it('an unexpected request fails the test with its address, although the plugin takes the error', async () => {
  const ask = async (scripts: Readonly<Record<string, WebScript>>, ...urls: readonly string[]) => {
    using _web = fakeFetch(scripts)
    for (const url of urls) await fetch(url).catch(() => {})
  }
  await expect(ask({}, 'https://other.example/a?b=1')).rejects.toThrow('\n  - GET https://other.example/a?b=1')
  await expect(ask({ [`POST ${TODAY}`]: 'no' }, TODAY)).rejects.toThrow(`GET ${TODAY}`)
  await expect(ask({ [TODAY]: ['one'] }, TODAY, TODAY)).rejects.toThrow(`GET ${TODAY} (all answers of its list are given)`)
  await expect(ask({ weather: 'rain' })).rejects.toThrow(
    'expected an address such as "https://weather.example/today", got "weather"',
  )
})

it('an answer that does not come ends with the signal of the caller, on the clock of the test', async () => {
  using web = fakeFetch({ [TODAY]: { hangs: true } })
  const weather = definePlugin({
    name: 'weather',
    setup: () => ({
      context: async ({ signal }) => ({ place: 'other', title: 'Weather', text: await (await fetch(TODAY, { signal })).text() }),
      respond: (_turn, _decision, { sections }) => ({ kind: 'text', text: `${sections.length} sections` }),
    }),
  })
  await using bot = await testBot({ plugins: [weather] })
  await bot.say('alice', '@kiki hello')
  expect(web.requests).toHaveLength(1)
  expect(bot.sent).toEqual([])
  await bot.pass('10s')
  expect(bot.sent).toEqual(['0 sections'])
  await expect(fetch(TODAY, { signal: AbortSignal.abort(new Error('gave up')) })).rejects.toThrow('gave up')
})

it('requests to this machine go through, unless a script has them', async () => {
  const server = createServer(async (request, response) => response.end(`real ${await text(request)}`))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/`
  using _web = fakeFetch({ [`${url}fake`]: 'fake' })
  const asked = [url, new Request(url, { method: 'POST', body: 'four' }), `${url}fake`]
  expect(await Promise.all(asked.map(async one => (await fetch(one)).text()))).toEqual(['real ', 'real four', 'fake'])
  server.close()
})
