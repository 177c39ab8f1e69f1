/** Listens to people in voice channels of Discord who allow it, and speaks there. */
import { DiscordVoice } from '@kikimimi/discord'
import { definePlugin } from 'kikimimi'
import { z } from 'zod'
import { createCalls } from './calls.ts'
import { commands } from './commands.ts'
import { type Consents, createConsents } from './consents.ts'
import { texts } from './texts.ts'

const options = z
  .strictObject({
    channels: z
      .array(z.string().trim().min(1))
      .default([])
      .describe(
        'Voice channels, by name or id, that the bot joins by itself when a person is there who allows it to listen. Default: it joins when it is told to.',
      ),
  })
  .prefault({})

export default definePlugin({
  name: 'voice',
  options,
  needs: [DiscordVoice],
  migrations: new URL('./migrations/', import.meta.url),
  check: (_options, bot) => [
    bot.modelsFor('transcribe').length > 0
      ? { what: 'models.transcribe is set' }
      : { what: 'models.transcribe', problem: NO_EARS },
    bot.modelsFor('speak').length > 0 ? { what: 'models.speak is set' } : { what: NO_MOUTH, warning: true },
  ],
  async setup(ctx, { channels }) {
    const { models } = ctx
    if (!models.transcribes) ctx.log.warn(NO_EARS)
    else if (!models.speaks) ctx.log.warn(NO_MOUTH)
    const voice = ctx.use(DiscordVoice)
    const calls = createCalls({ ctx, voice, channels, consents: () => consents })
    const consents: Consents = await createConsents(ctx, calls.changed)

    return {
      score({ messages }) {
        const count = messages.filter(({ id }) => calls.isSpoken(id)).length
        if (count > 0) ctx.note(`said aloud, and written down by a model: ${count} of ${messages.length} messages`)
      },

      context({ conversation }) {
        if (!calls.isIn(conversation)) return undefined
        const say = texts(ctx.bot.locale)
        return { title: say('section'), text: say(models.speaks ? 'section.spoken' : 'section.heard'), place: 'situation' }
      },

      commands: commands({ ctx, voice, calls, consents }),
      forget: person => consents.forget(person),
    }
  },
})

const NO_EARS = 'There is no model for recordings, so the bot joins no voice channel. Add models.transcribe in bot.config.ts.'
const NO_MOUTH = 'There is no model for speech, so answers in voice channels are only written. Add models.speak in bot.config.ts.'
