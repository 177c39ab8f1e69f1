/** The bytes of a file, for a plugin that reads it itself. */
import type { Attachment } from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { texts } from '../../base/text/core-texts.ts'
import { FALLBACK } from '../../base/text/texts.ts'
import { download } from './fetch.ts'
import { Unreadable } from './unreadable.ts'

/** @throws ATTACHMENT_REFUSED with the reason, for people */
export async function bytesOf(
  attachment: Attachment,
  fetchOwn: (signal: AbortSignal) => Promise<Response> | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const found = await download(attachment, fetchOwn, { max: maxBytes, head: 0 }, signal)
    if (!found.isWhole) throw refused(`it has more than ${maxBytes} bytes`)
    return found.bytes
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Unreadable) throw refused(texts(FALLBACK)(`files.why.${error.why}`, error.values))
    if (error instanceof KikimimiError) throw error
    throw refused(reason(error))
  }
}

function refused(why: string): KikimimiError {
  return new KikimimiError('ATTACHMENT_REFUSED', why)
}
