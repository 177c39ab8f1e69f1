import { checkPlugin } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import voice from './index.ts'

const transcribe = { name: 'scribe', transcribe: async () => '' }

test('the check says which models are missing', async () => {
  const told = (await checkPlugin(voice)).map(({ what, problem }) => problem ?? what)
  expect(told).toEqual([
    'There is no model for recordings, so the bot joins no voice channel. Add models.transcribe in bot.config.ts.',
    'voice: There is no model for speech, so answers in voice channels are only written. Add models.speak in bot.config.ts.',
  ])
  const [ears] = await checkPlugin(voice, { models: { transcribe } })
  expect(ears).toEqual({ what: 'voice: models.transcribe is set' })
})
