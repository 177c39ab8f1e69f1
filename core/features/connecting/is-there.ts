/**
 * Makes a call about one message, for {@link Platform.edit} and {@link Platform.delete}. Resolves with false when the message is gone.
 * @param isGone whether an error of the call means that
 */
export async function isThere(isGone: (error: unknown) => boolean, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}
