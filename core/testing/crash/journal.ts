import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What survives the killed process: a line is in the file before any other part knows it. */
export type Line =
  /** A post that people saw. */
  | { readonly kind: 'post'; readonly nonce: string; readonly channel: string; readonly text: string }
  /** A post with a nonce that people have seen already: dropped. */
  | { readonly kind: 'double'; readonly nonce: string }
  /** The answer that a turn made. It may never be sent. */
  | { readonly kind: 'made'; readonly turn: string; readonly text: string }
  /** A batch without a mention that was judged, by the start of the bot with this number. */
  | { readonly kind: 'judged'; readonly start: number; readonly channel: string; readonly messages: readonly string[] }

export function write(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

export function read(file: string): Line[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line))
}
