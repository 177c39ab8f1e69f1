/** Files in Slack need the bot's token: https://docs.slack.dev/reference/objects/file-object#authentication */
import { KikimimiError } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { WHERE } from '../web-api/scopes.ts'

export interface FilesOptions {
  readonly token: () => Promise<string>
  readonly apiUrl: string
}

/** Maximum number of redirects for one file. */
const REDIRECTS = 3

/** Slack's own hosts, only over https; and the host of `apiUrl`, for a proxy or a test. */
export function isSlack(url: URL, apiUrl: string): boolean {
  if (url.origin === new URL(apiUrl).origin) return true
  return url.protocol === 'https:' && /(?:^|\.)slack(?:-files)?\.com$/.test(url.hostname)
}

/** Sends the token to Slack only. No other host is called: links in messages and redirects may lead anywhere. */
export function createFetchFile({ token, apiUrl }: FilesOptions): Platform['fetchAttachment'] & {} {
  return async ({ url: given }, signal) => {
    let url = URL.parse(given)
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      if (!url || !isSlack(url, apiUrl)) throw refused(redirects > 0 ? 'Slack sends elsewhere for it' : 'it is not kept in Slack')
      const response = await fetch(url, { headers: { authorization: `Bearer ${await token()}` }, redirect: 'manual', signal })
      const location = response.headers.get('location')
      if (location === null) return file(response)
      await response.body?.cancel()
      url = URL.parse(location, url.href)
    }
    throw refused('Slack sends from one place to the next for it')
  }
}

async function file(response: Response): Promise<Response> {
  // With status 200, although it is a login page.
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return response
  await response.body?.cancel()
  throw refused(`Slack wants somebody to log in for it; add the scope files:read at ${WHERE}`)
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ATTACHMENT_REFUSED', why)
}
