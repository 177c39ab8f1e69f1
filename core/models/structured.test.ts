import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fit, jsonIn, jsonSchemaOf, lines } from './structured.ts'

describe('jsonIn', () => {
  test.each([
    ['the whole text', ' {"a":1} ', { a: 1 }],
    ['a value that is no object', 'true', true],
    ['a code fence', 'Here you are:\n```json\n{"a": [1, 2]}\n```\nAnything else?', { a: [1, 2] }],
    ['a fence without a language', '```\n[1]\n```', [1]],
    ['after prose', 'Sure! {"a":{"b":"}"}} Hope this helps.', { a: { b: '}' } }],
    [
      'after prose in Japanese with brackets',
      '【判定】[理由あり] 結果は {"respond":false,"reason":"\\"雑談\\""} です。',
      { respond: false, reason: '"雑談"' },
    ],
    ['an array after prose', 'The topics are ["a","b"].', ['a', 'b']],
  ])('finds %s', (_name, text, expected) => {
    expect(jsonIn(text)).toEqual(expected)
  })

  test.each(['', 'no idea', '{ broken', 'YES', '<html>{}{</html', '{'.repeat(100_000)])('finds nothing else in %#', text => {
    const found = jsonIn(text)
    expect(found === undefined || JSON.stringify(found) === '{}').toBe(true)
  })
})

describe('fit', () => {
  const schema = z.object({ confidence: z.number(), tags: z.array(z.string()).default([]) })

  test('returns the result of the schema', async () => {
    expect(await fit(schema, { confidence: 1 })).toEqual({ value: { confidence: 1, tags: [] } })
  })

  test('reports each mistake with its path', async () => {
    const result = await fit(schema, { confidence: 'high', tags: [1] })
    expect('issues' in result && lines(result.issues)).toMatch(/^- confidence: .*number.*\n- tags\.0: .*string/)
  })
})

describe('jsonSchemaOf', () => {
  test('describes the schema', () => {
    expect(jsonSchemaOf(z.object({ ok: z.boolean() }))).toMatchObject({ type: 'object', properties: { ok: { type: 'boolean' } } })
  })

  test('is nothing for a schema without a JSON Schema', () => {
    expect(jsonSchemaOf({ '~standard': { version: 1, vendor: 'own', validate: value => ({ value }) } })).toBeUndefined()
    expect(jsonSchemaOf(z.date())).toBeUndefined()
  })
})
