import { definePlugin } from 'kikimimi'
import { z } from 'zod'

export default definePlugin({
  name: 'my-plugin',
  options: z.strictObject({ answer: z.string().default('pong').describe('What it says.') }).prefault({}),
  setup: (_ctx, { answer }) => ({
    // Who returns undefined passes: the next plugin in bot.config.ts is asked.
    respond: ({ message }) => (/\bping\b/i.test(message.text) ? { kind: 'text', text: answer } : undefined),
  }),
})
