/** Fetches pictures if the bot uses another API address. The kernel fetches those from Discord itself. */
import { type Attachment, KikimimiError } from 'kikimimi'

/** Hosts of uploaded files. */
const HOSTS: ReadonlySet<string> = new Set(['cdn.discordapp.com', 'media.discordapp.net'])

/**
 * Allowed: the host of the API, and Discord itself, because a proxy passes on its addresses. No other host in the bot's
 * network.
 */
export async function fetchFile({ url }: Attachment, apiUrl: string, signal: AbortSignal): Promise<Response> {
  const { origin, protocol, host } = new URL(url)
  const isBesideTheApi = origin === new URL(apiUrl).origin
  if (!isBesideTheApi && !(protocol === 'https:' && HOSTS.has(host))) {
    throw new KikimimiError('ATTACHMENT_REFUSED', 'it is not a file of Discord')
  }
  return fetch(url, { signal, redirect: 'error' })
}
