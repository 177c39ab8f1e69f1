/** The messages between the bot, its watchers and the measuring process. */
import type { HeapStep, Latency } from '../../base/measure.ts'

/** The cost of a stretch of talk for the bot. */
export interface Stretch {
  readonly turns: number
  /** From the call of `receive` until the turn has ended and has its trace. */
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

/** `streams` only read the events; `pages` are those of Chromium. */
export type Watching = 'noViewer' | 'streams' | 'pages'

export type ToWatchers = { readonly kind: 'watch'; readonly url: string; readonly how: Watching } | { readonly kind: 'look' }

/** The memory of a page after a collection. */
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
  /** `events`: all events that the plain streams have received. */
  | { readonly kind: 'seen'; readonly pages: readonly PageHeap[]; readonly events: number }
