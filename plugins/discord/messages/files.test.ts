import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { fetchFile } from './files.ts'

const { signal } = new AbortController()

async function server(answer: RequestListener) {
  let asked = 0
  const opened = createServer((request, response) => {
    asked++
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(opened, 'listening')
  const address = opened.address()
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  const close = async () => {
    opened.closeAllConnections()
    opened.close()
  }
  return { url: `http://127.0.0.1:${address.port}`, asked: () => asked, [Symbol.asyncDispose]: close }
}

test('a file beside the API is fetched, but no redirect to another host', async () => {
  await using inside = await server((_request, response) => void response.end('secret'))
  await using api = await server(({ url }, response) => {
    if (url !== '/away') return void response.end('cat')
    response.writeHead(302, { location: `${inside.url}/secret` }).end()
  })
  expect(await (await fetchFile({ url: `${api.url}/cat.png` }, api.url, signal)).text()).toBe('cat')
  await expect(fetchFile({ url: `${api.url}/away` }, api.url, signal)).rejects.toThrow('fetch failed')
  expect(inside.asked()).toBe(0)
})

test('no other host is called', async () => {
  await using inside = await server((_request, response) => void response.end('secret'))
  const { host } = new URL(inside.url)
  for (const url of [
    inside.url,
    `http://cdn.discordapp.com@${host}/cat.png`,
    `http://${host}/cdn.discordapp.com/cat.png`,
    `http://${host}#@cdn.discordapp.com/cat.png`,
    'http://cdn.discordapp.com/cat.png',
    'https://cdn.discordapp.com.evil.example/cat.png',
    'https://cdn.discordapp.com:8443/cat.png',
    'https://xcdn.discordapp.com/cat.png',
    'http://images-ext-1.discordapp.net/cat.png',
    'https://images-ext-1.discordapp.net.evil.example/cat.png',
    'file:///etc/passwd',
  ]) {
    await expect(fetchFile({ url }, 'https://discord.com/api', signal), url).rejects.toThrow('it is not a file of Discord')
  }
  expect(inside.asked()).toBe(0)
})

test.each(['cdn.discordapp.com', 'media.discordapp.net', 'images-ext-1.discordapp.net'])(
  'a file of %s is requested',
  async host => {
    // No request is made: the signal is aborted.
    const fetched = fetchFile({ url: `https://${host}/cat.png` }, 'https://proxy.example/api', AbortSignal.abort())
    await expect(fetched).rejects.toMatchObject({ name: 'AbortError' })
  },
)
