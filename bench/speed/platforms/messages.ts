/** The messages between the measured bot and the measuring process. */

export interface Settings {
  readonly database: string
  readonly discord?: { readonly token: string; readonly apiUrl: string }
  readonly slack?: { readonly botToken: string; readonly appToken: string; readonly apiUrl: string }
}

export interface State {
  readonly rssMb: number
  /** The peak. */
  readonly peakMb: number
  /** After a collection. */
  readonly heapMb: number
  /** Since the start. */
  readonly cpuMs: number
}

export type FromBot =
  | { readonly kind: 'ready' }
  | { readonly kind: 'recorded'; readonly messages: readonly [id: string, at: number][] }
  | ({ readonly kind: 'state' } & State)

/** Milliseconds on a clock that all processes of the machine share. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
