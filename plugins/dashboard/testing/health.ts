/** Plugins that fail, for tests of the page Health. */
import { definePlugin, KikimimiError } from 'kikimimi'

/** A scorer that throws. */
export const broken = definePlugin({
  name: 'broken',
  setup: () => ({
    score: () => {
      throw new Error('no score today')
    },
  }),
})

/** A plugin whose jobs fail. */
export const careless = definePlugin({
  name: 'careless',
  setup(ctx) {
    const failing = (name: string, error: (times: number) => Error) => {
      let times = 0
      const run = () => {
        throw error(++times)
      }
      return ctx.job(name, run, { retries: 0 })
    }
    const read = failing('read', () => new SyntaxError('"hunter2 is my pas"... is not valid JSON'))
    const tidy = failing('tidy', times => new KikimimiError('SEND_FAILED', `broom ${times} is gone`))
    return {
      after: async () => {
        await read.schedule({}, { key: 'once' })
        await tidy.schedule({}, { key: 'once' })
        await tidy.schedule({}, { key: 'again', at: new Date(ctx.clock.now() + 1_000) })
      },
    }
  },
})
