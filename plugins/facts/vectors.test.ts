import { systemClock } from 'kikimimi'
import { openTestDatabase } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../core/migrate.ts'
import { HASHED, hashedVector } from './hashed.ts'
import { vectorContract } from './vector-contract.ts'
import { pgvectorIndex } from './vectors.ts'

vectorContract('pgvector', async () => {
  const db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('../../core/migrations/', import.meta.url), systemClock)
  await migrate(db, 'facts', new URL('./migrations/', import.meta.url), systemClock)
  return {
    index: pgvectorIndex(db),
    empty: async () => void (await db.query('delete from facts.space')),
    close: () => db.close(),
  }
})

describe('the built-in vectors', () => {
  const cosine = (one: string, other: string) => {
    const [a, b] = [hashedVector(one), hashedVector(other)]
    return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  }

  test('are the same for the same text, in width and capitals too', () => {
    expect(hashedVector('PostgreSQL')).toEqual(hashedVector('ｐｏｓｔｇｒｅｓｑｌ'))
    expect(Math.hypot(...hashedVector('聞き耳'))).toBeCloseTo(1, 5)
    expect(hashedVector('postgres')).toHaveLength(HASHED.dimensions)
  })

  test('are nearer for what looks nearly the same', () => {
    expect(cosine('the accomodation in Kyoto', 'accommodation')).toBeGreaterThan(0.25)
    expect(cosine('サーバーの費用', 'サーバ費用')).toBeGreaterThan(0.5)
    expect(Math.abs(cosine('the accommodation in Kyoto', 'サーバ費用'))).toBeLessThan(0.25)
  })

  test('are nothing for a text without words', () => {
    expect(hashedVector('… !').every(value => value === 0)).toBe(true)
  })
})
