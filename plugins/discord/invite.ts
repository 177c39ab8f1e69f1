/** The link that invites the bot to a server. */
import { OAuth2Scopes, PermissionFlagsBits, REST, type RESTGetAPIOAuth2CurrentApplicationResult, Routes } from 'discord.js'
import { restOptions } from './rest/calls.ts'
import { loginRefused, unreachable } from './rest/errors.ts'

export interface CallOptions {
  readonly token: string
  /** Milliseconds. */
  readonly timeout: number
  readonly apiUrl?: string | undefined
}

/** Permissions of the bot. docs/discord.md explains each. */
const PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.SendPolls

/** For the plugin voice. */
const VOICE = PermissionFlagsBits.Connect | PermissionFlagsBits.Speak

/** For a persona with another name than the bot. */
const NAMES = PermissionFlagsBits.ManageWebhooks

/** Throws a KikimimiError with the remedy. */
export async function invite(
  options: CallOptions,
  { usesVoice, hasNames }: { readonly usesVoice: boolean; readonly hasNames: boolean },
): Promise<string> {
  const link = new URL('https://discord.com/oauth2/authorize')
  const get = asking(options)
  const application = (await get(Routes.oauth2CurrentApplication())) as RESTGetAPIOAuth2CurrentApplicationResult
  link.searchParams.set('client_id', application.id)
  link.searchParams.set('scope', `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`)
  link.searchParams.set('permissions', String(PERMISSIONS | (usesVoice ? VOICE : 0n) | (hasNames ? NAMES : 0n)))
  return `Open this link, choose the server, and let the bot in. You need Manage Server there.\n${link}`
}

/** Calls Discord without the gateway. Throws a KikimimiError with the remedy. */
export function asking({
  token,
  timeout,
  apiUrl,
}: CallOptions): (route: `/${string}`, query?: URLSearchParams) => Promise<unknown> {
  // Without timers that would keep the process alive.
  const rest = new REST({ ...restOptions(timeout, apiUrl), hashSweepInterval: 0, handlerSweepInterval: 0 }).setToken(token)
  return async (route, query) => {
    try {
      return await rest.get(route, { ...(query && { query }) })
    } catch (error) {
      throw loginRefused(error, undefined) ?? unreachable(error, apiUrl)
    }
  }
}
