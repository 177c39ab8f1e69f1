/**
 * A reason of a plugin in another language. Plugins give reasons in English; what no entry matches stays English.
 *
 * @param {string} why
 * @param {readonly (readonly [english: string | RegExp, told: string])[]} reasons applied in this order
 */
export function translated(why, reasons) {
  return reasons.reduce((told, [english, other]) => told.replace(english, other), why)
}
