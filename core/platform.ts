/** What authors of platforms import, beside `kikimimi`: docs/write-a-platform.md. */

export { ChatCommands, type GivenCommand } from './api/commands.ts'
export { definePlatform, type PlatformHooks } from './api/define-plugin.ts'
export type { MessageEdit, MessagePart, Visibility } from './api/message.ts'
export {
  type ArrivalKind,
  type Handle,
  type Membership,
  MissedMessages,
  type Outgoing,
  type Platform,
  type PlatformContext,
  type Posted,
  type Slot,
} from './api/platform.ts'
export { knownLocale } from './base/text/core-texts.ts'
export type { Translations } from './base/text/texts.ts'
export { createInOrder, type InOrder } from './features/connecting/in-order.ts'
export { isThere } from './features/connecting/is-there.ts'
export { type KeptConnection, keepConnected } from './features/connecting/keep-connected.ts'
export { keepTyping } from './features/connecting/keep-typing.ts'
export { orderIn, takeCommand, takeEvent, takeMessage } from './features/connecting/take.ts'
export { withMentions } from './features/connecting/with-mentions.ts'
