/**
 * The message of a plugin's error without quotations of what people said. `JSON.parse` and Postgres put the input that they
 * cannot read into their messages, and messages go to logs and traces.
 */
import { isSafeToKeep, reason } from './errors.ts'

/** As few characters in common count as a quotation. */
const QUOTE = 6

/** @param texts what the plugin was given of people's words */
export function redactError(error: unknown, texts: readonly string[]): string {
  const message = reason(error)
  if (isSafeToKeep(error) || !texts.some(text => quotes(message, text))) return message
  const name = error instanceof Error ? error.name : 'an error'
  return `${name}: message redacted because it quotes a message of a person`
}

function quotes(message: string, text: string): boolean {
  const words = text.trim()
  if (words === '') return false
  if (words.length <= QUOTE) return words.length > 2 && message.includes(words)
  for (let at = 0; at + QUOTE <= words.length; at++) if (message.includes(words.slice(at, at + QUOTE))) return true
  return false
}
