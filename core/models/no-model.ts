import type { ChatModel } from '../api/chat-model.ts'
import { KikimimiError } from '../base/errors.ts'

/** The chat model of a bot that has none. It has the name that stands for "no model is configured": it costs nothing, and needs no price. */
export const NO_MODEL: ChatModel = {
  name: 'offline',
  async generate() {
    throw new KikimimiError('MODEL_MISSING', 'The bot has no chat model. Set models.chat in bot.config.ts.')
  },
}
