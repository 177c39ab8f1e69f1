/** The lines between the bot and the place where people talk: one JSON array each, the kind first. */

/** In the environment of the bot, as BENCH_SETTINGS. */
export interface Settings {
  readonly database: string
  readonly port: number
}

export interface Said {
  readonly id: number
  readonly channel: number
  /** The message mentions the bot. */
  readonly asks: boolean
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

export type ToBot =
  | readonly ['said', id: number, channel: number, asks: 0 | 1, at: number, text: string]
  | readonly ['history', request: number, messages: readonly Said[]]
  | readonly ['state']

export type FromBot =
  /** Recorded; not recorded because the bot sheds it; refused for another reason. */
  | readonly ['taken' | 'shed' | 'refused', ids: readonly number[]]
  | readonly ['post', answers: string | undefined]
  | readonly ['history', request: number, channel: number, after: number | undefined, limit: number]
  | readonly ['state', State]

/** Of the process of the bot. Megabytes and milliseconds. */
export interface State {
  readonly rss: number
  readonly peak: number
  readonly heap: number
  /** Delay of the event loop since the last state. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly metrics: string
}

/** Calls `hear` with each line. */
export function lines<T>(hear: (line: T) => void): (chunk: string) => void {
  let rest = ''
  return chunk => {
    const all = `${rest}${chunk}`.split('\n')
    rest = all.pop() ?? ''
    for (const one of all) hear(JSON.parse(one) as T)
  }
}
