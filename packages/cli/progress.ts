/** Progress of long work, on the last line of a terminal. On a pipe nothing is shown. */
export interface Progress extends Disposable {
  /** Replaces the text shown before. */
  show(text: string): void
}

export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Minimum time between two updates. */
const EVERY_MS = 100

/** @param screen standard error, so that standard output stays clean */
export function createProgress(screen: Screen = process.stderr): Progress {
  let shown: number | undefined
  return {
    show(text) {
      const now = performance.now()
      if (!screen.isTTY || (shown !== undefined && now - shown < EVERY_MS)) return
      shown = now
      screen.write(`\r\u001b[K${text}`)
    },
    [Symbol.dispose]() {
      if (shown !== undefined) screen.write('\r\u001b[K')
    },
  }
}

/** `12,000 rows`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}`
}
