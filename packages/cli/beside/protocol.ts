/**
 * What a command and a running bot say to each other over the socket beside the data folder. The command sends one line of JSON,
 * the {@link Request}. The bot answers with frames: one byte of {@link Kind}, four bytes of length, the payload. The frame `exit` is
 * the last one; its payload is the exit code. After the frame `input` the command sends its standard input in frames `stdin`, and an empty
 * one at its end. A command that closes the connection is cancelled.
 */
export const VERSION = 2

export interface Request {
  readonly version: number
  readonly args: readonly string[]
  /** Where relative paths of the command begin. */
  readonly cwd: string
  /** Whether standard error is a terminal, which can show progress. */
  readonly terminal: boolean
}

export const KINDS = ['stdout', 'stderr', 'exit', 'input', 'stdin'] as const
export type Kind = (typeof KINDS)[number]

export interface Frame {
  readonly kind: Kind
  readonly payload: Buffer
}

const HEADER = 5

export function encode(kind: Kind, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt8(KINDS.indexOf(kind))
  header.writeUInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}

/** Ends early with the connection: without the frame `exit` the bot has gone. */
export async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEADER) {
      const end = HEADER + rest.readUInt32BE(1)
      const kind = KINDS[rest.readUInt8(0)]
      if (rest.length < end || !kind) break
      yield { kind, payload: rest.subarray(HEADER, end) }
      rest = rest.subarray(end)
    }
  }
}

/** Maximum length of a request. */
const LIMIT = 1024 * 1024

/** The request at the beginning of a connection. Undefined: there is none, or one of another version. */
export async function readRequest(chunks: AsyncIterable<Buffer>): Promise<Request | undefined> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString('utf8')
    if (text.includes('\n') || text.length > LIMIT) break
  }
  try {
    const request: Request = JSON.parse(text)
    return request.version === VERSION ? request : undefined
  } catch {
    return undefined
  }
}
