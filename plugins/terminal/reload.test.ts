import { PassThrough } from 'node:stream'
import { definePlugin, startBot } from 'kikimimi'
import { expect, test } from 'vitest'
import terminal from './index.ts'

const answer = definePlugin({
  name: 'answer',
  setup: () => ({ respond: ({ message }) => ({ kind: 'text', text: `hello, ${message.author.name}` }) }),
})

test('a terminal with other options continues to read at the same position', async () => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  let out = ''
  output.on('data', chunk => (out += chunk))
  const configOf = (user: string) => ({
    persona: { name: 'kiki' },
    database: false as const,
    plugins: [terminal({ input, output, errors, user }), answer],
  })
  await using bot = await startBot(configOf('alice'), { env: {} })
  const says = async (line: string, told: string) => {
    input.write(`${line}\n`)
    await expect.poll(() => out).toContain(told)
  }
  await says('@kiki hi', 'kiki: hello, alice\n')
  const listeners = output.listenerCount('error')
  for (const user of ['bob', 'carol', 'dave']) {
    expect(await bot.reload(configOf(user))).toMatchObject({ restarted: ['terminal'] })
    await says('@kiki hi', `kiki: hello, ${user}\n`)
  }
  expect(output.listenerCount('error')).toBe(listeners)
  expect(out.match(/hello/g)).toHaveLength(4)
  input.end()
  await bot.closed
})
