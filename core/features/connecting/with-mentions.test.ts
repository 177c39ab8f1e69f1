import { withMentions } from 'kikimimi/platform'
import { expect, test } from 'vitest'

const ann = { id: '1', name: 'Ann' }
const annLee = { id: '2', name: 'Ann Lee' }

test('each person stands in the first place of the name, without its @, and the rest of the text stays', () => {
  expect(withMentions('⏰ Ann: tell Ann and @Bob', [ann])).toEqual(['⏰ ', ann, ': tell Ann and @Bob'])
  expect(withMentions('⏰ @Ann Lee and Ann: eat', [ann, annLee])).toEqual(['⏰ ', annLee, ' and ', ann, ': eat'])
})

test('a person whom the text does not name stands in front', () => {
  expect(withMentions('eat', [ann])).toEqual([ann, ' ', 'eat'])
  expect(withMentions('eat', [{ id: '3', name: '' }])).toEqual([{ id: '3', name: '' }, ' ', 'eat'])
  expect(withMentions('eat')).toEqual(['eat'])
})
