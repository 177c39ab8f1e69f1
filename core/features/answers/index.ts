/** Commands for answers of the bot, also by a reaction. */
import { ChatCommands, definePlugin, type Plugin } from '../../api/index.ts'
import type { Conversations } from '../../kernel/turns/conversations.ts'
import { type AnswersOptions, answerCommands, commandOf } from './answers.ts'

export function answersFeature(options: AnswersOptions, conversations: Pick<Conversations, 'onReaction'>): Plugin {
  return definePlugin({
    name: 'kikimimi-answers',
    needs: [ChatCommands],
    setup(ctx) {
      const no = () => false
      conversations.onReaction((conversation, message, change) => {
        const text = commandOf(change)
        // The rights of a moderator are not known here.
        const given = { conversation, person: { id: change.by, name: change.by }, message, moderator: no, admin: no }
        if (text !== undefined) void ctx.use(ChatCommands).run({ ...given, text })
      })
      return { commands: answerCommands(options) }
    },
  })()
}
