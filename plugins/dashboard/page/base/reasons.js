/**
 * Translates a reason of a plugin. Plugins give reasons in English; parts without an entry stay English.
 *
 * @param {string} why
 * @param {readonly (readonly [english: string | RegExp, told: string])[]} reasons applied in this order
 */
export function translated(why, reasons) {
  return reasons.reduce((told, [english, other]) => told.replace(english, other), why)
}
