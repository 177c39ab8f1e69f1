/** Responses at the addresses that Slack sends with commands and presses. */
import { KikimimiError } from 'kikimimi'

interface Shown {
  readonly response_type: 'in_channel' | 'ephemeral'
  readonly text: string
  /** False: the message of a pressed button stays. */
  readonly replace_original?: false
}

/** Shows a response at the address of a command or of a button. */
export async function show(address: string, shown: Shown, signal: AbortSignal): Promise<void> {
  // One attempt: after a missing response the result cannot be determined, and a duplicate is worse than a loss.
  const { ok, status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shown),
    signal,
  })
  if (ok) return
  throw new KikimimiError(
    'PLATFORM_REFUSED',
    `Slack refused the response: HTTP ${status}. Invite the bot to the channel: /invite @bot.`,
  )
}
