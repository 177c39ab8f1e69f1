/** What the bot that is killed, and whoever kills it, tell each other. */
import { existsSync, readFileSync } from 'node:fs'

/** `judged`: the judge was asked about a channel. `posted`, `reacted`: people see it there. */
export interface Line {
  readonly kind: 'judged' | 'posted' | 'reacted'
  readonly channel: string
  readonly nonce?: string
}

export interface Said {
  readonly id: string
  readonly channel: string
  readonly text: string
  readonly mentions?: true
}

/** From the parent: something is said, or the bot shall do all it has to do and end. */
export type Command = Said | 'finish'
/** To the parent: a message is recorded, or the bot hears. */
export type Report = { readonly recorded: string } | 'ready'

export function linesOf(file: string): Line[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(toLine) : []
}

function toLine(line: string): Line {
  return JSON.parse(line)
}
