/** Largest length; longer texts are cut. Platforms do not allow such texts, and a prompt could not hold them. */
const TEXT_LENGTH = 40_000

/**
 * The text in a form that a database and a prompt can hold: without NUL, without half surrogate pairs, of limited length.
 */
export function sanitizeText(text: string, length = TEXT_LENGTH): string {
  const cut = text.length > length ? text.slice(0, length) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}
