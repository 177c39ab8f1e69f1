/** The messages between each bot and the place where people talk. */

/** In the environment of a bot, as BENCH_SETTINGS. */
export interface Settings {
  readonly database: string
  /** Whether the platform posts once when one nonce is sent twice. */
  readonly idempotent: boolean
}

export interface Said {
  readonly id: string
  readonly channel: string
  readonly text: string
  /** The message mentions the bot. */
  readonly asks: boolean
}

export type ToBot = ({ readonly kind: 'said' } & Said) | { readonly kind: 'posted'; readonly nonce: string; readonly id: string }

export type FromBot =
  | { readonly kind: 'ready' }
  /** The message is recorded, or was before; or could not be, and must be delivered again. */
  | { readonly kind: 'taken' | 'refused'; readonly id: string }
  /** The bot makes an answer to this message. */
  | { readonly kind: 'thinking'; readonly id: string }
  | { readonly kind: 'post'; readonly nonce: string; readonly answers?: string }
