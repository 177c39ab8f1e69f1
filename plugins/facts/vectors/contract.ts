import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Space, VectorIndex } from '../api/vectors.ts'

export interface VectorHarness {
  readonly index: VectorIndex
  /** Deletes all vectors. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** The contract of vector indexes. */
export function vectorContract(name: string, open: () => Promise<VectorHarness>): void {
  describe(`vectors in ${name}`, { timeout: 60_000 }, () => {
    const space: Space = { name: 'compass', dimensions: 4 }
    const [north, east, south] = [vector(1, 0), vector(0, 1), vector(-1, 0)]
    let harness: VectorHarness
    let index: VectorIndex

    beforeAll(async () => {
      harness = await open()
      index = harness.index
    }, 60_000)
    afterAll(() => harness.close())
    beforeEach(() => harness.empty())

    const near = async (wanted: Float32Array, scopes = [1], limit = 10) =>
      (await index.search(space, wanted, { scopes, limit }))?.map(({ item }) => item)

    it('the nearest comes first, with its cosine', async () => {
      await index.upsert(space, [row(1, south), row(2, east), row(3, north)])
      const found = await index.search(space, vector(1, 0.1), { scopes: [1], limit: 10 })
      expect(found?.map(({ item }) => item)).toEqual([3, 2, 1])
      expect(found?.[0]?.similarity).toBeCloseTo(0.995, 3)
      expect(found?.[2]?.similarity).toBeCloseTo(-0.995, 3)
    })

    it('at most the requested number is returned', async () => {
      await index.upsert(space, [row(1, north), row(2, east), row(3, south)])
      expect(await near(north, [1], 2)).toEqual([1, 2])
    })

    it('vectors of other scopes are never returned', async () => {
      await index.upsert(space, [row(1, north, 1), row(2, north, 2), row(3, south, 3)])
      expect(await near(north, [1, 3])).toEqual([1, 3])
      expect(await near(north, [])).toEqual([])
      expect(await near(north, [9])).toEqual([])
    })

    it('a scope is found completely among many others', async () => {
      await index.upsert(
        space,
        Array.from({ length: 300 }, (_, at) => row(at + 1, at % 100 === 0 ? east : north, at % 100 === 0 ? 7 : 1)),
      )
      expect((await near(north, [7]))?.toSorted((a, b) => a - b)).toEqual([1, 101, 201])
    })

    it('a new vector replaces the old one', async () => {
      await index.upsert(space, [row(1, north), row(2, east)])
      await index.upsert(space, [row(1, south), row(2, east, 2)])
      expect(await index.search(space, south, { scopes: [1], limit: 10 })).toEqual([
        { item: 1, similarity: expect.closeTo(1, 5) },
      ])
    })

    it('a removed vector is not found, and can be removed again', async () => {
      await index.upsert(space, [row(1, north), row(2, east)])
      await index.remove([1, 99])
      await index.remove([1])
      await index.remove([])
      expect(await near(north)).toEqual([2])
    })

    it('spaces do not mix, with any lengths of vectors', async () => {
      const other: Space = { name: 'other', dimensions: 3 }
      const longer: Space = { name: 'compass', dimensions: 5 }
      await index.upsert(space, [row(1, north)])
      await index.upsert(other, [{ item: 2, scope: 1, vector: new Float32Array([1, 0, 0]) }])
      await index.upsert(longer, [{ item: 1, scope: 1, vector: new Float32Array([0, 0, 0, 0, 1]) }])
      expect(await near(north)).toEqual([1])
      await index.keepOnly(other)
      expect(await near(north)).toEqual([])
      expect(await index.search(other, new Float32Array([1, 0, 0]), { scopes: [1], limit: 9 })).toHaveLength(1)
    })

    it('a space has a constant location, and no two spaces share one', async () => {
      const home = await index.home(space)
      await index.upsert(space, [row(1, north)])
      expect(await index.home(space)).toBe(home)
      expect(await index.home({ name: 'compass', dimensions: 5 })).not.toBe(home)
    })

    it.each([
      ['too short', new Float32Array([1, 0, 0])],
      ['too long', new Float32Array(5)],
      ['empty', new Float32Array()],
      ['not finite', new Float32Array([1, 0, Number.NaN, 0])],
    ])('a vector that is %s is refused, with all vectors of the same call', async (_what, wrong) => {
      await expect(index.upsert(space, [row(1, north), row(2, wrong)])).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
      await expect(index.search(space, wrong, { scopes: [1], limit: 1 })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
      expect(await near(north)).toEqual([])
    })
  })
}

function vector(north: number, east: number): Float32Array {
  return new Float32Array([north, east, 0.01, 0])
}

function row(item: number, vector: Float32Array, scope = 1) {
  return { item, scope, vector }
}
