/**
 * Converts a GIF into PNG and a PDF file into text, in a worker: a file that takes too much time or memory ends its worker,
 * not the bot. The worker runs this same file.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { crc32, deflateSync } from 'node:zlib'
import { createSemaphore } from '../../base/semaphore.ts'
import { Unreadable } from './unreadable.ts'

export interface PdfText {
  readonly text: string
  /** The number of pages in the file. */
  readonly pages: number
  /** The number of pages whose text was read. */
  readonly read: number
}

interface Job {
  readonly convert: 'gif' | 'pdf'
  readonly bytes: Uint8Array
}

/** The most memory of one worker. */
const MEMORY_MB = 256
const WATCH_MS = 50

/** Pages of a PDF file that are read. */
const PAGES = 20
/** Longest text of a PDF file that is read, in UTF-16 code units. */
const LONGEST = 64 * 1024
/** Largest GIF, in pixels. */
const PIXELS = 4 * 1024 * 1024

/** Each worker takes up to `MEMORY_MB`. */
const places = createSemaphore(2)

/** The first frame of a GIF, as PNG. */
export function pngOf(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  return inWorker<Uint8Array>({ convert: 'gif', bytes }, signal)
}

/** The text of the first pages of a PDF file. */
export function pdfTextOf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  return inWorker<PdfText>({ convert: 'pdf', bytes }, signal)
}

function inWorker<T>(job: Job, signal: AbortSignal): Promise<T> {
  return places.run(async () => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      // A library that reads files of strangers needs neither keys nor our output.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    })
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const watch = setInterval(async () => {
      // Only heap memory counts in `resourceLimits`: buffers do not.
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics().catch(() => ENDED)
      if (heap + buffers > MEMORY_MB * 1024 * 1024) reject(new Unreadable('damaged'))
    }, WATCH_MS)
    const aborted = () => reject(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    worker.once('message', resolve)
    worker.once('error', () => reject(new Unreadable('damaged')))
    worker.once('exit', () => reject(new Unreadable('damaged')))
    try {
      signal.throwIfAborted()
      return await promise
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', aborted)
      await worker.terminate()
    }
  }, signal)
}

const ENDED = { used_heap_size: 0, external_memory: 0 }

async function run({ convert, bytes }: Job): Promise<PdfText | Uint8Array> {
  return convert === 'pdf' ? readPdf(bytes) : firstFrame(bytes)
}

async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 })
  let text = ''
  let read = 0
  while (read < Math.min(pdf.numPages, PAGES) && text.length < LONGEST) {
    const page = await pdf.getPage(++read)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '')
    text += '\n\n'
  }
  return { text: text.trim(), pages: pdf.numPages, read }
}

async function firstFrame(bytes: Uint8Array): Promise<Uint8Array> {
  const { GifReader } = await import('omggif')
  const gif = new GifReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const { width, height } = gif
  const frame = gif.frameInfo(0)
  if (width * height > PIXELS || frame.width * frame.height > PIXELS) throw new Unreadable('damaged')
  const pixels = new Uint8Array(width * height * 4)
  gif.decodeAndBlitFrameRGBA(0, pixels)
  return png(width, height, pixels)
}

/** https://www.w3.org/TR/png/: 8 bits for each of red, green, blue and alpha, no filter. */
function png(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6], 8)
  const rows = Buffer.alloc(height * (width * 4 + 1))
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), row * (width * 4 + 1) + 1)
  }
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

function isJob(data: unknown): data is Job {
  return typeof data === 'object' && data !== null && 'convert' in data
}

if (!isMainThread && isJob(workerData)) void run(workerData).then(result => parentPort?.postMessage(result))
