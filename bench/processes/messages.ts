/** What each bot, and the place where people talk, tell each other. */

/** In the environment of a bot, as BENCH_SETTINGS. */
export interface Settings {
  readonly database: string
  /** Whether the place posts once what is sent twice with one nonce. */
  readonly idempotent: boolean
}

export interface Said {
  readonly id: string
  readonly channel: string
  readonly text: string
  /** It calls the bot. */
  readonly asks: boolean
}

export type ToBot = ({ readonly kind: 'said' } & Said) | { readonly kind: 'posted'; readonly nonce: string; readonly id: string }

export type FromBot =
  | { readonly kind: 'ready' }
  /** It is recorded, or was before; or could not be, and has to be told again. */
  | { readonly kind: 'taken' | 'refused'; readonly id: string }
  /** It makes an answer to this message. */
  | { readonly kind: 'thinking'; readonly id: string }
  | { readonly kind: 'post'; readonly nonce: string; readonly answers?: string }
