/** Longer texts are cut: no platform lets people type so much, and a prompt could not hold it. */
const TEXT_LENGTH = 40_000

/** What a database and a prompt can hold: no NUL, no half of a surrogate pair, no endless text. */
export function sanitizeText(text: string, length = TEXT_LENGTH): string {
  const cut = text.length > length ? text.slice(0, length) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}
