/** The connections of this process. */
import { type Client, type REST, type RESTGetAPIGatewayBotResult, Routes } from 'discord.js'
import type { Person } from 'kikimimi'
import type { RequestLimit } from '../rest/limit.ts'
import type { ConnectionOptions } from './connection.ts'

export interface GatewayOptions extends Omit<ConnectionOptions, 'shards' | 'tooFewShards'> {
  readonly shards: 'auto' | number
  readonly rest: REST
  readonly limit: RequestLimit
}

export interface Gateway {
  /** Resolves when the bot is connected or stands by. Throws a KikimimiError with the remedy. */
  start(signal: AbortSignal): Promise<void>
  /** Why the bot is not connected. */
  unready(): string | undefined
  /** Clients that are logged in, with their servers. */
  clients(): readonly Client<true>[]
  /** The bot's account, as soon as it is known. */
  account(): Person | undefined
}

/** What Discord recommends for the connections of the bot. */
export async function recommendation(rest: REST, signal: AbortSignal): Promise<RESTGetAPIGatewayBotResult> {
  return (await rest.get(Routes.gatewayBot(), { signal })) as RESTGetAPIGatewayBotResult
}

export function notHeard(shards: readonly number[]): string | undefined {
  return shards.length === 0 ? undefined : `no connection to Discord (shard ${shards.join(', ')})`
}
