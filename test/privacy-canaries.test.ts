/** Words that people tell a bot with every shipped plugin, and that it has forgotten. `npm run bench:privacy -- --canaries` tells 1,000. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Told, tellCanaries } from './privacy/canaries.ts'

const { CANARIES = '12', PRIVACY_REPORT } = process.env
const told: Record<string, Told> = {}

test.each(['offline', 'repeat', 'tools'] as const)('nothing is left of words that are gone: %s', async manner => {
  const one = await tellCanaries(Number(CANARIES), manner)
  told[manner] = one
  if (PRIVACY_REPORT) writeFileSync(PRIVACY_REPORT, JSON.stringify(told, null, 2))
  expect(one.before).toMatchObject({
    'kikimimi.message': expect.any(Number),
    backup: expect.any(Number),
    export: expect.any(Number),
  })
  expect(one.left).toEqual({})
  expect(one.certificates.map(({ claimed }) => claimed)).toEqual(one.certificates.map(({ gone }) => gone))
})
