/** Keeps vectors in a Chroma server instead of the database of the bot. */
import { Vectors } from '@kikimimi/facts'
import { definePlugin } from 'kikimimi'
import { z } from 'zod'
import { ChromaFailure, createCalls } from './calls.ts'
import { chromaIndex } from './chroma-index.ts'

const options = z
  .strictObject({
    host: z
      .string()
      .regex(/^(?:[^\s/:@]+|\[[\da-f:]+\])$/i, 'expected a host alone, without http:// and without a port')
      .default('127.0.0.1')
      .describe('Host name or address of the Chroma server. Write an IPv6 address in brackets.')
      .meta({ public: true }),
    port: z.int().min(1).max(65_535).default(8_000).describe('Port of the Chroma server.'),
    ssl: z.boolean().default(false).describe('Use https.'),
    headers: z.record(z.string(), z.string()).default({}).describe('HTTP headers of every request, such as a token.'),
    prefix: z
      .string()
      .regex(
        /^[a-z\d](?:[\w-]{0,19}[a-z\d])?$/i,
        'expected up to 21 letters, digits, - and _, with a letter or digit at both ends',
      )
      .default('kikimimi')
      .describe("Prefix of the names of this bot's collections.")
      .meta({ public: true }),
  })
  .prefault({})

export default definePlugin({
  name: 'chroma',
  options,
  provides: [Vectors],
  migrations: new URL('./migrations/', import.meta.url),
  async setup({ db, clock, log, provide }, { prefix, ...server }) {
    const index = chromaIndex({ db, calls: createCalls(server, { clock, log }), prefix })
    await index.greet().catch(error => {
      // A server that is down may come back, and the log reports it. A wrong setting is refused at the start.
      if (!(error instanceof ChromaFailure && error.passing)) throw error
    })
    provide(Vectors, index)
  },
})
