/** Keys as one means them: while kana are converted, Enter and Escape belong to the conversion. */

/**
 * The key that was pressed, nothing while something is being converted. Safari has ended the conversion by the time it
 * tells of the Enter that ended it: only the old code 229 gives it away.
 *
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, isComposing, keyCode }) {
  return isComposing || keyCode === 229 ? '' : key
}
