/** What the bot, those who watch it, and who measures them tell each other. */
import type { HeapStep, Latency } from '../base/measure.ts'

/** What a stretch of talk has cost the bot. */
export interface Stretch {
  readonly turns: number
  /** From the call of `receive` until the turn is over and traced. */
  readonly silentMs: Latency
  readonly answeredMs: Latency
  /** Milliseconds of processor time for each turn. */
  readonly cpuMs: number
  readonly eventLoopDelayMs: { readonly p99: number; readonly max: number }
  readonly statements: number
}

export type ToBot = { readonly kind: 'talk'; readonly seconds: number } | { readonly kind: 'heap' }

export type FromBot =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'talked'; readonly stretch: Stretch }
  | { readonly kind: 'heap'; readonly step: HeapStep }

/** `streams` read the events and nothing more; `pages` are those of Chromium. */
export type Watching = 'nobody' | 'streams' | 'pages'

export type ToWatchers = { readonly kind: 'watch'; readonly url: string; readonly how: Watching } | { readonly kind: 'look' }

/** What a page holds after a collection. */
export interface PageHeap {
  readonly heapMb: number
  readonly nodes: number
  readonly listeners: number
  /** Turns in its list. */
  readonly turns: number
}

export type FromWatchers =
  | { readonly kind: 'ready' }
  | { readonly kind: 'watching' }
  /** `events`: told to the plain streams since they were opened, all together. */
  | { readonly kind: 'seen'; readonly pages: readonly PageHeap[]; readonly events: number }
