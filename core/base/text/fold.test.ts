import { expect, test } from 'vitest'
import { sharedTestDatabase } from '../../testing/test-database.ts'
import { fold, foldedNames } from './fold.ts'

test.each([
  ['İrem', 'irem'],
  ['i\u0307rem', 'irem'],
  ['ΑΛΕΞΗΣ', 'αλεξησ'],
  ['αλεξης', 'αλεξησ'],
  ['ÅSA', 'åsa'],
  ['ЮЛИЯ', 'юлия'],
  ['Straße', 'straße'],
  ['はなA子', 'はなa子'],
])('%s is folded to %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
  expect(fold(fold(text))).toBe(folded)
})

test('Postgres folds every letter of a name in the same way', async () => {
  const letters = Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code)).filter(one =>
    /\p{L}|\p{M}/u.test(one),
  )
  const { from, to } = foldedNames(letters)
  const db = await sharedTestDatabase()
  const { rows } = await db.query<{ folded: string }>('select translate(t, $2, $3) as folded from unnest($1::text[]) t', [
    letters,
    from,
    to,
  ])
  expect(rows.map(({ folded }) => folded)).toEqual(letters.map(fold))
})
