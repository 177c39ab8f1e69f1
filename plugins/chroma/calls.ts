/** Calls of the Chroma server. Each has a deadline. After a failure, searches skip the server for some seconds. */
import { ChromaClient, ChromaConnectionError, ChromaForbiddenError, ChromaNotFoundError, ChromaUnauthorizedError } from 'chromadb'
import type { Clock, Logger } from 'kikimimi'

export interface Server {
  readonly host: string
  readonly port: number
  readonly ssl: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface Calls {
  /** Throws {@link ChromaFailure}, or ChromaNotFoundError if the server responds and the object does not exist. */
  run<T>(call: (client: ChromaClient) => Promise<T>, deadlineMs: number): Promise<T>
  /** The server failed recently. A caller that has an alternative should use it. */
  readonly resting: boolean
}

/** The server cannot be used. The message gives the remedy. */
export class ChromaFailure extends Error {
  /** Temporary: the server is down, slow or busy. Otherwise a setting must be changed. */
  readonly passing: boolean

  constructor(message: string, passing: boolean, options: ErrorOptions) {
    super(message, options)
    this.name = 'ChromaFailure'
    this.passing = passing
  }
}

/** Time in which searches skip a server that did not respond. */
const REST_MS = 10_000

export function createCalls(server: Server, { clock, log }: { readonly clock: Clock; readonly log: Logger }): Calls {
  const { host, port, ssl, headers } = server
  const place = `Chroma at ${ssl ? 'https' : 'http'}://${host}:${port}`
  let down = false
  let restUntil = 0

  function answered(): void {
    if (down) log.info(`${place} responds again`)
    down = false
    restUntil = 0
  }

  return {
    get resting() {
      return clock.now() < restUntil
    },

    async run(call, deadlineMs) {
      // One signal per call, because a client has only one. Real time applies to the network, not the clock of the bot.
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
        if (!down) log.warn(`${failure.message} Until it responds, memory is searched by words only, and new vectors wait.`)
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
  // A client that cannot parse a response throws a TypeError.
  if (error instanceof TypeError)
    return failure('does not answer like Chroma. Is it another server? Set chroma({ host, port }).', false)
  return failure(`failed: ${error instanceof Error ? error.message : String(error)}. Its log may say why.`, true)
}
