import { withMentions } from 'kikimimi/platform'
import { expect, test } from 'vitest'

const ann = { id: '1', name: 'Ann' }
const annLee = { id: '2', name: 'Ann Lee' }

test('each person stands in the first place of the name, without its @, and the rest of the text stays', () => {
  expect(withMentions('⏰ Ann: tell Ann and @Bob', [ann])).toEqual(['⏰ ', ann, ': tell Ann and @Bob'])
  expect(withMentions('⏰ @Ann Lee and Ann: eat', [ann, annLee])).toEqual(['⏰ ', annLee, ' and ', ann, ': eat'])
})

test.each([
  ['Anna: eat', ann],
  ['see https://a.example/Ann/list', ann],
  ['write to Ann@a.example', ann],
])('a part of a word or of an address is no name: %s', (text, person) => {
  expect(withMentions(text, [person])).toEqual([person, ' ', text])
})

test('a name in Japanese stands between other letters', () => {
  const hana = { id: '4', name: 'はな' }
  expect(withMentions('今日はなさんに', [hana])).toEqual(['今日', hana, 'さんに'])
})

test('a person whom the text does not name stands in front', () => {
  expect(withMentions('eat', [ann])).toEqual([ann, ' ', 'eat'])
  expect(withMentions('eat', [{ id: '3', name: '' }])).toEqual([{ id: '3', name: '' }, ' ', 'eat'])
  expect(withMentions('eat')).toEqual(['eat'])
})
