/** The addresses of messages: https://docs.slack.dev/reference/methods/chat.getPermalink, made here, because that takes a call for each. */
import type { Platform } from 'kikimimi/platform'
import type { Calls } from '../web-api/calls.ts'
import { isTimestamp } from './incoming.ts'

export function createLink({ call }: Calls): NonNullable<Platform['link']> {
  /** The address of the workspace, which does not change while the bot runs. */
  let origin: Promise<string | undefined> | undefined

  async function originOf(signal: AbortSignal): Promise<string | undefined> {
    const { url } = await call('auth.test', client => client.auth.test(), { signal, tries: 2 })
    return url?.replace(/\/$/, '')
  }

  return async ({ channel, thread }, message, signal) => {
    if (!isTimestamp(message)) return undefined
    origin ??= originOf(signal)
    // A failure is not kept.
    origin.catch(() => (origin = undefined))
    const at = await origin
    const inThread = thread === undefined ? '' : `?thread_ts=${thread}&cid=${channel}`
    return at && `${at}/archives/${channel}/p${message.replace('.', '')}${inThread}`
  }
}
