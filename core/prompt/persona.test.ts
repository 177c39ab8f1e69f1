import { expect, test } from 'vitest'
import { checkConfig, type PersonaConfig } from '../api/config.ts'
import type { PersonaPlace } from '../api/message.ts'
import { personasOf } from './persona.ts'

const of = (persona: PersonaConfig) => personasOf(checkConfig({ persona, plugins: [] }))
const place = (name: string, rest: Partial<PersonaPlace> = {}): PersonaPlace => ({
  ...{ workspace: 'T1', channel: `C-${name}`, name, visibility: 'public' },
  ...rest,
})

const personas = of({
  name: 'kiki',
  names: ['キキ'],
  prompt: 'You are kiki.',
  workspaces: { T2: { name: 'Momo', prompt: 'You are Momo.' } },
  channels: {
    support: { name: 'Mimi', names: ['ミミ'], picture: 'https://a.test/mimi.png' },
    '#dev': { prompt: 'You are kiki, and brief.' },
    help: { name: 'mimi', sharesMemory: true },
    'C-id': { names: ['K'] },
  },
})

test('a place with a name is another persona, which takes nothing from the wider place', () => {
  expect(personas.in(place('support'))).toMatchObject({
    name: 'Mimi',
    names: ['Mimi', 'ミミ'],
    picture: 'https://a.test/mimi.png',
  })
  expect(personas.in(place('support')).prompt).toMatch(/^You are Mimi/)
  expect(personas.in(place('general', { workspace: 'T2' }))).toMatchObject({ name: 'Momo', prompt: 'You are Momo.' })
  expect(personas.in(place('support', { workspace: 'T2' })).name).toBe('Mimi')
  expect(personas.in(place('general'))).toEqual({
    name: 'kiki',
    names: ['kiki', 'キキ'],
    prompt: 'You are kiki.',
    timeZone: 'UTC',
  })
})

test('a place without a name changes the persona of the wider place', () => {
  expect(personas.in(place('dev'))).toEqual({
    name: 'kiki',
    names: ['kiki', 'キキ'],
    prompt: 'You are kiki, and brief.',
    timeZone: 'UTC',
  })
  expect(personas.in(place('dev', { workspace: 'T2' }))).toMatchObject({ name: 'Momo', prompt: 'You are kiki, and brief.' })
  expect(personas.in(place('id'))).toMatchObject({ name: 'kiki', names: ['kiki', 'K'], prompt: 'You are kiki.' })
})

test('a direct conversation has the name of a person, and no persona by it', () => {
  expect(personas.in(place('support', { visibility: 'direct' })).name).toBe('kiki')
})

test('memory belongs to the name, unless it is shared with the bot itself', () => {
  expect(personas.memories).toEqual({
    workspaces: { T2: 'momo' },
    channels: { support: 'mimi', dev: null, help: '', 'C-id': null },
  })
})

test.each([
  [
    { channels: { dev: { picture: 'https://a.test/a.png' } } },
    'persona.channels.dev.picture: belongs to a persona: add its name',
  ],
  [{ channels: { dev: { sharesMemory: true } } }, 'persona.channels.dev.sharesMemory: belongs to a persona: add its name'],
  [{ channels: { dev: { name: 'Mimi', picture: 'http://a.test/a.png' } } }, 'expected an address that begins with https://'],
  [{ workspaces: { T1: { nam: 'Mimi' } } }, 'unknown option: "nam". Did you mean "name"?'],
])('%j is refused at the start', (places, message) => {
  expect(() => of({ name: 'kiki', ...(places as object) })).toThrow(message)
})
