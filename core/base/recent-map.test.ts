import { expect, test } from 'vitest'
import { RecentMap } from './recent-map.ts'

test('a full map drops what was set longest ago, and what is set again counts as new', () => {
  const map = new RecentMap<number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
