import { z } from 'zod'
import { model } from './model.ts'

export const options = z
  .strictObject({
    learn: z
      .enum(['automatic', 'ask', 'off'])
      .default('ask')
      .describe(
        'Whether a channel gets weights of its own, from its messages and from what people did after answers of the bot. `ask` proposes them and waits for `/kiki attention apply`, `automatic` applies them, `off` learns nothing and records no outcomes.',
      ),
    weights: model.optional().describe('The weights of a channel. Default: the shared ones. `/kiki attention apply` sets them.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
