/** The fuzz finds a leak that is planted. */
import { definePlugin } from 'kikimimi'
import { expect, test } from 'vitest'
import { live } from './privacy/rounds.ts'

test('a plugin that tells everybody everything is found', async () => {
  const heard: string[] = []
  const leak = definePlugin({
    name: 'leak',
    setup: () => ({
      filter: ({ text }) => void heard.push(text),
      context: () => ({ place: 'other', title: 'Heard', text: heard.join('\n') }),
    }),
  })
  const { faults } = await live(1, 40, { plugins: [leak()] })
  const kinds = new Set(faults.map(({ kind }) => kind))
  expect([...kinds]).toEqual(expect.arrayContaining(['prompt', 'post', 'kept', 'page', 'backup', 'export']))
})
