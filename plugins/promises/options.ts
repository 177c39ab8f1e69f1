import { z } from 'zod'

const webhook = z.strictObject({
  channel: z.string().min(1).describe('Name or id of the channel in which the bot speaks.'),
  platform: z.string().optional().describe('Name of the platform, if several have a channel of that name.'),
  secret: z.string().min(16).describe('Key of the signature, 16 characters or more. Keep it in .env.'),
  writes: z
    .boolean()
    .default(false)
    .describe('True: the text is an event, and the model writes what the bot says about it. False: the bot says the text.'),
})

export const options = z
  .strictObject({
    ownPromises: z
      .boolean()
      .default(true)
      .describe('Come back to what an answer of the bot promised, such as "I will look at it after lunch".'),
    tool: z
      .boolean()
      .default(true)
      .describe('Offer the model the tool `set_reminder`, for requests that the rules do not recognise.'),
    isHoliday: z
      .custom<(day: string) => boolean>(value => typeof value === 'function', 'expected a function')
      .optional()
      .describe('Whether a day such as "2026-05-04" is a public holiday, for "every working day". Default: none is.'),
    webhooks: z
      .record(z.string().regex(/^[a-z\d-]{1,40}$/, 'expected lower-case letters, digits and hyphens'), webhook)
      .default({})
      .describe('Webhooks by name: `POST /promises/NAME` makes the bot speak in a channel.'),
  })
  .prefault({})

export type Options = z.output<typeof options>
export type Webhook = z.output<typeof webhook>
