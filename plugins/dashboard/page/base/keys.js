/** Keyboard input: during kana conversion, Enter and Escape belong to the input method. */

/**
 * The pressed key; undefined during a conversion. In Safari the conversion has ended before the event of its Enter key.
 * Only the old key code 229 shows it.
 *
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, isComposing, keyCode }) {
  return isComposing || keyCode === 229 ? '' : key
}
