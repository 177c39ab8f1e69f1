/** Messages between the bot that is killed and its parent. */
import { existsSync, readFileSync } from 'node:fs'

/** `judged`: the judge was called for a channel. `posted`, `reacted`: visible for people. */
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

/** From the parent: a message, or the order to finish all work and end. */
export type Command = Said | 'finish'
/** To the parent: a message is recorded, or the bot is ready. */
export type Report = { readonly recorded: string } | 'ready'

export function linesOf(file: string): Line[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(toLine) : []
}

function toLine(line: string): Line {
  return JSON.parse(line)
}
