import { definePlugin } from 'kikimimi'
import { z } from 'zod'

export default definePlugin({
  name: 'my-plugin',
  options: z.strictObject({ answer: z.string().default('pong').describe('The answer.') }),
  setup: (_ctx, { answer }) => ({
    // A responder that returns undefined leaves the answer to the next plugin in bot.config.ts.
    respond: ({ message }) => (/\bping\b/i.test(message.text) ? { kind: 'text', text: answer } : undefined),
  }),
})
