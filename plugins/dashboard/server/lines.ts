/** Long work that tells its progress and its result as JSON lines. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'kikimimi'

/** Number of progress events in a run. */
const STEP = 0.01

const BROKEN_OFF = 'It was broken off: the bot has stopped, or was set up anew. Try again.'

export interface LongWork<T> {
  readonly reply: FastifyReply
  /** Aborts when the server stops. */
  readonly ending: AbortSignal
  readonly log: Logger
  /** The HTTP status of an error of the request. Nothing: it is no error of the request. */
  status(error: unknown): 404 | 409 | 422 | undefined
  /** `progress` gets the share that is done, 0…1. */
  run(signal: AbortSignal, progress: (share: number) => void): Promise<T>
  /** The last line. */
  event(done: T): Promise<object> | object
}

/** Errors of the request are answered with their status. The stream begins with the first progress. */
export async function sendLines<T>({ reply, ending, log, status, run, event }: LongWork<T>) {
  const leaving = new AbortController()
  reply.raw.once('close', () => leaving.abort())
  const lines = new Readable({ read() {} })
  const tell = (line: object) => void lines.push(`${JSON.stringify(line)}\n`)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let told = 0
  const running = run(AbortSignal.any([leaving.signal, ending]), share => {
    begin()
    if (share - told < STEP) return
    told = share
    tell({ share })
  })
  try {
    // Errors of the request are known before the first progress.
    await Promise.race([begun, running])
  } catch (error) {
    const code = status(error)
    if (code !== undefined && error instanceof Error) return reply.code(code).send({ message: error.message })
  }
  // The response begins now: otherwise a client that disconnects early would count as an error.
  tell({ share: 0 })
  void running
    .then(async done => tell(await event(done)))
    .catch((error: unknown) => {
      if (leaving.signal.aborted) return
      if (!ending.aborted) log.error('long work of the page failed', { error })
      tell({ failed: ending.aborted ? BROKEN_OFF : 'Something went wrong: see the log.' })
    })
    .finally(() => lines.push(null))
  if (leaving.signal.aborted) return reply.hijack()
  return reply.type('application/x-ndjson').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(lines)
}
