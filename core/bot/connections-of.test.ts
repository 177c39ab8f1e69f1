import { expect, it } from 'vitest'
import { settings } from '../api/config.ts'
import { connectionsOf } from './connections-of.ts'

const given = (postgres: object) => settings.parse({ persona: { name: 'kiki' }, plugins: [], postgres })

it('takes the connections of bot.config.ts before those of the environment', () => {
  expect(connectionsOf(given({ connections: 5 }), { DATABASE_CONNECTIONS: '7' })).toMatchObject({ connections: 5 })
  expect(connectionsOf(given({}), { DATABASE_CONNECTIONS: '7' })).toMatchObject({ connections: 7 })
})

it('refuses fewer than an upgrade needs', () => {
  expect(() => given({ connections: 1 })).toThrow('>=2')
  for (const DATABASE_CONNECTIONS of ['1', '2.5', 'many'])
    expect(() => connectionsOf(given({}), { DATABASE_CONNECTIONS })).toThrow('must be a whole number from 2')
})
