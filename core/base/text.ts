/** Longer texts are cut: no platform lets people type so much, and a prompt could not hold it. */
export const TEXT_LENGTH = 40_000

/** Text that a database and a prompt can hold: without NUL and lone surrogates, cut to `length` UTF-16 code units. */
export function sanitizeText(text: string, length = TEXT_LENGTH): string {
  const cut = text.length > length ? text.slice(0, length) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}
