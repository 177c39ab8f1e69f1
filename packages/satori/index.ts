/** Connects the bot to the networks that have an adapter for Satori. */
import { definePlatform } from 'kikimimi/platform'
import { z } from 'zod'

const adapter = z.strictObject({
  use: z
    .custom<object>(value => typeof value === 'function' || (typeof value === 'object' && value !== null), 'expected an adapter')
    .describe('The adapter: what its package exports by default.'),
  with: z.record(z.string(), z.unknown()).default({}).describe('The settings of the adapter.'),
})

const options = z.strictObject({
  adapters: z.array(adapter).nonempty().describe('Adapters of Satori, such as `@satorijs/adapter-satori`, with their settings.'),
  publicChannels: z
    .array(z.string())
    .default([])
    .describe('Ids of channels that everybody in their guild can read. Satori does not tell that; others count as private.'),
})

export default definePlatform({
  name: 'satori',
  options,
  // Loaded on use, because `kikimimi --help` needs no library.
  async setup(ctx, given) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, given) }
  },
})

/** The options with their defaults. */
export type SatoriOptions = z.output<typeof options>
