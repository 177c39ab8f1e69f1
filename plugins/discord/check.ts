/** Checks the Discord setup for `kikimimi check`. */
import {
  ApplicationFlagsBitField,
  type RESTGetAPICurrentUserGuildsResult,
  type RESTGetCurrentApplicationResult,
  Routes,
} from 'discord.js'
import type { Finding } from 'kikimimi'
import { asking, type CallOptions } from './invite.ts'
import { CONTENT } from './rest/errors.ts'

/** Intents by their name in the developer portal, each with two flags: one for verified apps, one for other apps. */
const { GatewayMessageContent, GatewayMessageContentLimited } = ApplicationFlagsBitField.Flags
const { GatewayGuildMembers, GatewayGuildMembersLimited } = ApplicationFlagsBitField.Flags
const { GatewayPresence, GatewayPresenceLimited } = ApplicationFlagsBitField.Flags
const UNNEEDED = {
  'Server Members Intent': GatewayGuildMembers | GatewayGuildMembersLimited,
  'Presence Intent': GatewayPresence | GatewayPresenceLimited,
}

/** Servers per page, the maximum of Discord. */
const SERVERS = 200

/** Throws a KikimimiError with the remedy if Discord refuses the token or is unreachable. */
export async function check(options: CallOptions): Promise<readonly Finding[]> {
  const get = asking(options)
  const { name, flags = 0 } = (await get(Routes.currentApplication())) as RESTGetCurrentApplicationResult
  const page = new URLSearchParams({ limit: String(SERVERS) })
  const { length } = (await get(Routes.userGuilds(), page)) as RESTGetAPICurrentUserGuildsResult
  const unneeded = Object.entries(UNNEEDED).flatMap(([intent, bits]) => (flags & bits ? [intent] : []))
  return [
    { what: `the token is that of ${name}` },
    flags & (GatewayMessageContent | GatewayMessageContentLimited)
      ? { what: 'Message Content Intent is on' }
      : { what: 'Message Content Intent', problem: CONTENT },
    ...unneeded.map(intent => ({ what: `${intent} is on, and the bot does not need it` })),
    length > 0
      ? { what: `in ${length < SERVERS ? length : `${SERVERS} or more`} server${length === 1 ? '' : 's'}` }
      : { what: 'servers', problem: 'the bot is in none. What npm run kikimimi -- invite says brings it into one.' },
  ]
}
