/** A file between a producer and a reader. */
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'

/** Bytes read at once. */
const PAGE = 256 * 1_024

/**
 * Takes the source as fast as the disk, and yields it as fast as the reader wants it: a slow reader does not hold up the source. The
 * file is readable by its owner alone and has no name, so it is gone with the process.
 *
 * @param path beginning of the name that the file has for a moment
 * @throws what the source throws, and errors of the disk
 */
export async function* spooled(source: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Buffer, void> {
  const name = `${path}-${randomUUID()}`
  await using file = await open(name, 'wx+', 0o600)
  await unlink(name)
  let written = 0
  let ended = false
  let failed: { readonly error: unknown } | undefined
  let news = Promise.withResolvers<void>()

  async function fill(): Promise<void> {
    try {
      for await (const chunk of source) {
        if (ended) break
        await file.appendFile(chunk)
        written += chunk.length
        news.resolve()
      }
    } catch (error) {
      failed = { error }
    }
    ended = true
    news.resolve()
  }

  const filling = fill()
  try {
    for (let read = 0; ; ) {
      news = Promise.withResolvers()
      if (read < written) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(PAGE, written - read)), 0, null, read)
        read += bytesRead
        yield buffer.subarray(0, bytesRead)
      } else if (ended) break
      else await news.promise
    }
  } finally {
    ended = true
    await filling
  }
  if (failed) throw failed.error
}
