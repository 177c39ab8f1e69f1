/** How far long work is, on the last line of a terminal; on a pipe nothing. */
export interface Progress extends Disposable {
  /** Takes the place of what was shown before. */
  show(text: string): void
}

export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Not more often than an eye can follow. */
const EVERY_MS = 100

/** @param screen standard error, so that what is printed stays clean */
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
