/** Work that is due for longer waits for a process, in milliseconds. */
export const LONG_MS = 15 * 60_000

/** `2026-01-05 10:00 UTC` */
export function toldTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
