/** Replays of a running bot's channels, as a service; and replays of chat logs, for the command line. */
import { definePlugin, MessageLog, Operator, type PluginFactory, StoredSettings } from 'kikimimi'
import { BotInternals } from 'kikimimi/host'
import { createEvaluations, Evaluations } from './eval/evaluations.ts'
import { createReplays } from './replays.ts'
import { Replays } from './request.ts'

export { type ReplayValues, runReplay } from './command.ts'
export { exportLog, messagesIn } from './database-log.ts'
export { type Change, type EvaluationRequest, Evaluations, type TurnEvaluation } from './eval/evaluations.ts'
export { fileLog, type LogLine, readChatLog } from './logs/chat-log.ts'
export * from './request.ts'
export { parseSetting, withSetting } from './settings.ts'

const replay: PluginFactory<undefined> = definePlugin({
  name: 'replay',
  needs: [BotInternals, MessageLog, Operator, StoredSettings],
  provides: [Replays, Evaluations],
  setup(ctx) {
    const [internals, operator, settings] = [ctx.use(BotInternals), ctx.use(Operator), ctx.use(StoredSettings)]
    ctx.provide(Replays, createReplays({ ctx, internals, operator, settings }))
    ctx.provide(Evaluations, createEvaluations({ ctx, log: ctx.use(MessageLog), internals, operator, settings }))
  },
})

export default replay
