/** Pushes chat logs through a bot on a virtual clock and counts what it does. */
export { fileLog, type LogLine, readChatLog } from './chat-log.ts'
export { type ReplayValues, runReplay } from './command.ts'
export { exportLog, messagesIn } from './database-log.ts'
export type { Replays } from './replays.ts'
export type {
  ChannelReplay,
  InPlaces,
  ReplayDifference,
  ReplayRequest,
  ReplaySide,
  ReplayTurn,
  TurnKind,
} from './request.ts'
