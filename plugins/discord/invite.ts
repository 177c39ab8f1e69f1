/** The link by which the bot is brought into a server. */
import { OAuth2Scopes, PermissionFlagsBits, REST, type RESTGetAPIOAuth2CurrentApplicationResult, Routes } from 'discord.js'
import { restOptions } from './calls.ts'
import { loginRefused, unreachable } from './trouble.ts'

export interface InviteOptions {
  readonly token: string
  /** Milliseconds. */
  readonly timeout: number
  readonly apiUrl?: string | undefined
}

/** What it does there. docs/discord.md tells people of each. */
const PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions

/** Throws a KikimimiError that says what to do. */
export async function invite({ token, timeout, apiUrl }: InviteOptions): Promise<string> {
  // Without timers that would keep the process waiting.
  const rest = new REST({ ...restOptions(timeout, apiUrl), hashSweepInterval: 0, handlerSweepInterval: 0 }).setToken(token)
  const link = new URL('https://discord.com/oauth2/authorize')
  try {
    const application = (await rest.get(Routes.oauth2CurrentApplication())) as RESTGetAPIOAuth2CurrentApplicationResult
    link.searchParams.set('client_id', application.id)
  } catch (error) {
    throw loginRefused(error, undefined) ?? unreachable(error, apiUrl)
  }
  link.searchParams.set('scope', `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`)
  link.searchParams.set('permissions', String(PERMISSIONS))
  return `Open this link, choose the server, and let the bot in. You need Manage Server there.\n${link}`
}
