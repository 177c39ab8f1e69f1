import reply from '@kikimimi/reply'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import knowledge from './index.ts'
import { indexed } from './testing/indexed.ts'
import { tempFolder } from './testing/temp-folder.ts'

const QUESTION = '@kiki what is the code of the door in the cellar?'

test('a source is used where its audience is, and nowhere else', async () => {
  await using docs = await tempFolder({
    'team/door.md': '# Door\n\nThe code of the door in the cellar is 1111.',
    'room/door.md': '# Door\n\nThe code of the door in the cellar is 2222.',
    'staff/door.md': '# Door\n\nThe code of the door in the cellar is 3333.',
    'both/door.md': '# Door\n\nThe code of the door in the cellar is 4444.',
    'direct/door.md': '# Door\n\nThe code of the door in the cellar is 5555.',
  })
  const source = (name: string, audience: object) => ({ folder: `${docs.path}/${name}`, name, audience })
  const plugin = knowledge({
    sources: [
      source('team', { places: ['team'] }),
      source('room', { places: ['#room'] }),
      source('staff', { people: ['role:staff'] }),
      source('both', { places: ['#room'], people: ['admins'] }),
      source('direct', { places: ['dm-bob'] }),
    ],
  })
  const model = scriptedModel(() => 'I see.')
  const membership = async (_: unknown, { id }: { readonly id: string }) => {
    if (id === 'eve') throw new Error('the platform is down')
    return {
      rank: id === 'ada' ? ('admin' as const) : ('member' as const),
      roles: () => (id === 'sam' ? [{ id: 'R1', names: ['staff'] }] : []),
    }
  }
  await using bot = await testBot({ plugins: [plugin, reply], model, platform: { membership } })
  await indexed(bot, 5)

  async function codes(author: string, where: object): Promise<string> {
    await bot.say(author, QUESTION, where)
    return [...promptOf(model.asked.at(-1)).matchAll(/is (\d)\1{3}\./g)]
      .map(([, digit]) => digit)
      .sort()
      .join('')
  }
  expect(await codes('bob', { channel: 'general' })).toBe('1')
  expect(await codes('bob', { channel: 'room' })).toBe('12')
  expect(await codes('bob', { channel: 'room', thread: 't1' })).toBe('12')
  expect(await codes('bob', { channel: 'room', workspace: 'other' })).toBe('2')
  expect(await codes('bob', { channel: 'general', workspace: 'other' })).toBe('')
  // What people may read is shown to all who read the channel, so people alone are a rule for direct conversations.
  expect(await codes('sam', { channel: 'general' })).toBe('1')
  expect(await codes('ada', { channel: 'room' })).toBe('124')
  expect(await codes('ada', { channel: 'general' })).toBe('1')
  expect(await codes('sam', { channel: 'dm-sam', visibility: 'direct' })).toBe('3')
  expect(await codes('bob', { channel: 'dm-bob', visibility: 'direct' })).toBe('5')
  // A direct conversation is not the channel of its name, and nobody is staff while that cannot be looked up.
  expect(await codes('eve', { channel: 'dm-eve', name: 'room', visibility: 'direct' })).toBe('')
})
