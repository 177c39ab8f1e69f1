import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What outlives the process that is killed: a line is in the file before anybody hears of it. */
export type Line =
  /** People see it. */
  | { readonly kind: 'post'; readonly nonce: string; readonly channel: string; readonly text: string }
  /** Sent again with a nonce that people have seen: dropped. */
  | { readonly kind: 'double'; readonly nonce: string }
  /** The answer that a turn came up with. It may never be sent. */
  | { readonly kind: 'made'; readonly turn: string; readonly text: string }
  /** A batch that nobody addressed to the bot was judged, by the start of the bot with this number. */
  | { readonly kind: 'judged'; readonly start: number; readonly channel: string; readonly messages: readonly string[] }

export function write(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

export function read(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line))
}
