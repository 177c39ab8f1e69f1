/** Pictures where the bot goes by another API than Discord's own. Those of Discord itself the kernel fetches. */
import { type Attachment, KikimimiError } from 'kikimimi'

/** Where Discord keeps what people upload. */
const HOSTS: ReadonlySet<string> = new Set(['cdn.discordapp.com', 'media.discordapp.net'])

/** From beside the API, or from Discord: a proxy passes its addresses on. From nowhere else in the bot's own network. */
export async function fetchFile({ url }: Attachment, apiUrl: string, signal: AbortSignal): Promise<Response> {
  const { origin, protocol, host } = new URL(url)
  const isBesideTheApi = origin === new URL(apiUrl).origin
  if (!isBesideTheApi && !(protocol === 'https:' && HOSTS.has(host))) {
    throw new KikimimiError('ATTACHMENT_REFUSED', 'it is no file of Discord')
  }
  return fetch(url, { signal, redirect: 'error' })
}
