import addressing from '@kikimimi/addressing'
import { expect, test } from 'vitest'
import { openPage } from '../testing/open-page.ts'

test.each(['/kiki explain "thanks a lot"', '/explain "thanks a lot"'])('the playground answers %s', async text => {
  await using page = await openPage({ model: 'Hello.', plugins: [addressing()] })
  const response = await page.api('playground/messages', {
    method: 'POST',
    body: { room: 'general', author: 'alice', text, locale: 'en' },
  })
  expect(await response.json()).toMatchObject({ answer: expect.stringContaining('Speech act: thanks, probability') })
})
