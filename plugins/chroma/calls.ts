/** Calls of the server: each has a deadline, and a server that is down is left alone for a while. */
import { ChromaClient, ChromaConnectionError, ChromaForbiddenError, ChromaNotFoundError, ChromaUnauthorizedError } from 'chromadb'
import type { Clock, Logger } from 'kikimimi'

export interface Server {
  readonly host: string
  readonly port: number
  readonly ssl: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface Calls {
  /** Throws {@link ChromaFailure}, or ChromaNotFoundError: it answers, and what was asked for is not there. */
  run<T>(call: (client: ChromaClient) => Promise<T>, deadlineMs: number): Promise<T>
  /** It did not answer lately: whoever can do without it need not ask. */
  readonly resting: boolean
}

/** The server cannot be used, and the message says what to do. */
export class ChromaFailure extends Error {
  /** It may pass by itself: the server is down, slow or busy. Otherwise somebody has to change a setting. */
  readonly passing: boolean

  constructor(message: string, passing: boolean, options: ErrorOptions) {
    super(message, options)
    this.name = 'ChromaFailure'
    this.passing = passing
  }
}

/** So long nobody who searches waits for a server that did not answer. */
const REST_MS = 10_000

export function createCalls(server: Server, { clock, log }: { readonly clock: Clock; readonly log: Logger }): Calls {
  const { host, port, ssl, headers } = server
  const place = `Chroma at ${ssl ? 'https' : 'http'}://${host}:${port}`
  let down = false
  let restUntil = 0

  function answered(): void {
    if (down) log.info(`${place} answers again`)
    down = false
    restUntil = 0
  }

  return {
    get resting() {
      return clock.now() < restUntil
    },

    async run(call, deadlineMs) {
      // One for each call: a client has one signal, and real time is the network's, whatever the bot's clock says.
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        const result = await call(new ChromaClient({ host, port, ssl, headers: { ...headers }, fetchOptions: { signal } }))
        answered()
        return result
      } catch (error) {
        if (error instanceof ChromaNotFoundError) {
          answered()
          throw error
        }
        const failure = toFailure(error, place, signal.aborted ? deadlineMs : undefined)
        if (!down) log.warn(`${failure.message} Meanwhile memory is searched by words alone, and new vectors wait.`)
        down = true
        restUntil = clock.now() + REST_MS
        throw failure
      }
    },
  }
}

function toFailure(error: unknown, place: string, lateMs: number | undefined): ChromaFailure {
  const failure = (message: string, passing: boolean) => new ChromaFailure(`${place} ${message}`, passing, { cause: error })
  if (error instanceof ChromaUnauthorizedError || error instanceof ChromaForbiddenError) {
    return failure('refuses the bot. Set chroma({ headers }) to what it wants, a token for example.', false)
  }
  if (lateMs !== undefined)
    return failure(`did not answer within ${lateMs / 1_000} s. Is it overloaded, or behind a firewall?`, true)
  if (error instanceof ChromaConnectionError) {
    return failure(
      'cannot be reached. Start it (docker compose --profile chroma up --detach), or set chroma({ host, port }).',
      true,
    )
  }
  // A client that cannot read an answer throws a TypeError.
  if (error instanceof TypeError)
    return failure('does not answer like Chroma. Is it another server? Set chroma({ host, port }).', false)
  return failure(`failed: ${error instanceof Error ? error.message : String(error)}. Its log may say why.`, true)
}
