import { takesLeave } from '@kikimimi/addressing/closing'
import type { Message } from 'kikimimi'

/** Whether a conversation has ended with thanks or a goodbye and leaves no question open. */
export function hasEnded(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  const before = messages.findLast(({ text }) => !takesLeave(text))
  return last !== undefined && takesLeave(last.text) && !(before && /[?？]/.test(before.text))
}
