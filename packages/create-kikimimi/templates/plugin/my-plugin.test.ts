import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('ping is answered', async () => {
  await using bot = await testBot({ plugins: [plugin({ answer: 'here' })] })
  await bot.say('alice', '@kiki ping')
  expect(bot.sent).toEqual(['here'])
})
