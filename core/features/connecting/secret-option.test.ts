import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { secretOption } from './secret-option.ts'

const options = z.strictObject({ token: secretOption('ROOM_TOKEN', 'Token of the bot.', 'the token of the room') }).prefault({})

afterEach(() => {
  delete process.env.ROOM_TOKEN
})

test('a secret comes from bot.config.ts, otherwise from the environment', () => {
  process.env.ROOM_TOKEN = ' of the environment\n'
  expect(options.parse({ token: 'of the file' })).toEqual({ token: 'of the file' })
  expect(options.parse(undefined)).toEqual({ token: 'of the environment' })
})

test.each([[undefined], [{ token: ' ' }]])('without a secret (%j) the error says where it comes from', given => {
  expect(options.safeParse(given).error?.issues).toMatchObject([
    { path: ['token'], message: 'expected the token of the room; set ROOM_TOKEN' },
  ])
})
