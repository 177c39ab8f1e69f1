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
  // One attempt: after a missing response the result cannot be determined, and a duplicate is worse than a loss. An error of the network
  // would count as unknown, and the bot would look for the message, which it cannot see.
  const { ok, status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shown),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new KikimimiError('PLATFORM_REFUSED', 'The network failed while Slack got the response: it may be lost. Ask again.', {
      cause: error,
    })
  })
  if (ok) return
  throw new KikimimiError(
    'PLATFORM_REFUSED',
    `Slack refused the response: HTTP ${status}. Invite the bot to the channel: /invite @bot.`,
  )
}
