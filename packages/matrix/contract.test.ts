import { platformContract } from 'kikimimi/testing'
import { describe } from 'vitest'
import { harness } from './testing/harness.ts'
import { startHomeserver } from './testing/index.ts'

platformContract('matrix', async () => {
  const server = await startHomeserver()
  return harness(server.url, server)
})

/** A homeserver of another make, with open registration and without rate limits. */
const url = process.env.TEST_MATRIX_URL
if (url === undefined) process.stderr.write('Not tried here: Matrix on a second homeserver. Why: TEST_MATRIX_URL is not set.\n')

describe.skipIf(url === undefined)('on the homeserver of TEST_MATRIX_URL', () => {
  platformContract('matrix', () => harness(url ?? ''))
})
