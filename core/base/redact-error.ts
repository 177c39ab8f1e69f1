/**
 * The message of a plugin's error without quotations of people. `JSON.parse` and Postgres quote unreadable input in their
 * messages, and messages go to logs and traces.
 */
import { isSafeToKeep, reason } from './errors.ts'

/** The smallest number of equal characters that counts as a quotation. */
const QUOTE = 6

/** @param texts the texts of people that the plugin received */
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
