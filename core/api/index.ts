/**
 * Every public type of kikimimi, one file per concept, and `definePlugin`. The kernel implements these types.
 * A message arrives, passes the filters, is recorded once, and leads to a turn of its conversation. A turn goes through
 * score → decide → context → respond → deliver → after.
 */
export type {
  ChatModel,
  ChatTurn,
  Generated,
  GenerateRequest,
  Reranker,
  Speaker,
  ToolCall,
  Transcriber,
} from './chat-model.ts'
export type { ConfigPath, ConfigWarning } from './checks/config-error.ts'
export * from './commands.ts'
export type * from './context.ts'
export type * from './database.ts'
export * from './define-plugin.ts'
export * from './erasure.ts'
export * from './files.ts'
export * from './message.ts'
export * from './message-log.ts'
export * from './models.ts'
export * from './operator.ts'
export * from './options.ts'
export * from './platform.ts'
export * from './service.ts'
export type * from './stages.ts'
export type * from './trace.ts'
export * from './turn.ts'
