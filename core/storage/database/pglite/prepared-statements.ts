import type { PGlite } from '@electric-sql/pglite'

/** How many statements stay prepared: more than a bot with all plugins has. */
const LIMIT = 500

/** After such a statement, a prepared one can have other columns. */
const CHANGES_TABLES = /\b(alter|create|drop|rollback|deallocate)\b/i

type Send = PGlite['execProtocolStream']
type Options = Parameters<Send>[1]
type Answer = Awaited<ReturnType<Send>>

interface Statement {
  /** Its text and the types of its parameters. */
  readonly key: string
  readonly name: string
  /** The answer to Describe. */
  description?: Answer
}

/**
 * Keeps the statements of PGlite prepared. PGlite parses and plans each one again, which takes two thirds of the time of a short
 * statement, and it has no option against that. So its messages to Postgres are changed: the unnamed statement gets a name, and
 * is parsed only the first time. PGlite sends Parse, Describe, Bind, Describe, Execute and Sync for a query, one query after
 * another. See https://www.postgresql.org/docs/current/protocol-message-formats.html
 *
 * A plan stays as it is while its tables grow: `deallocate all` makes each statement be planned again.
 */
export function keepPrepared(lite: PGlite): void {
  const send: Send = lite.execProtocolStream.bind(lite)
  /** In the order of their last use. */
  const prepared = new Map<string, Statement>()
  let current: Statement | undefined
  let count = 0
  let isStale = false

  lite.execProtocolStream = async (message, options) => {
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'P':
        return parse(message, options)
      case 'D':
        return message[5] === 'S'.charCodeAt(0) ? describe(message, options) : send(message, options)
      case 'B':
        return bind(message, options)
      case 'Q':
        isStale ||= CHANGES_TABLES.test(textIn(message))
        return send(message, options)
      case 'S':
        return sync(message, options)
      default:
        return send(message, options)
    }
  }

  async function parse(message: Uint8Array, options: Options): Promise<Answer> {
    const key = textIn(message)
    isStale ||= CHANGES_TABLES.test(key.slice(1).trimStart().slice(0, 12))
    const known = prepared.get(key)
    current = known ?? { key, name: `kept_${++count}` }
    const answer = known ? [] : await send(withName(message, 0, current.name), options)
    prepared.delete(key)
    prepared.set(key, current)
    return answer
  }

  async function describe(message: Uint8Array, options: Options): Promise<Answer> {
    if (!current) return send(message, options)
    current.description ??= await send(withName(message, 1, current.name), options)
    return current.description
  }

  async function bind(message: Uint8Array, options: Options): Promise<Answer> {
    if (!current) return send(message, options)
    try {
      return await send(withName(message, 1, current.name), options)
    } catch (error) {
      // It may be the statement: its tables have changed.
      isStale = true
      throw error
    }
  }

  /** Ends a query, and an error of its messages: from here on Postgres takes others. */
  async function sync(message: Uint8Array, options: Options): Promise<Answer> {
    current = undefined
    const answer = await send(message, options)
    for (const statement of prepared.values()) {
      if (!isStale && prepared.size <= LIMIT) break
      prepared.delete(statement.key)
      await send(messageOf('C', Buffer.from(`S${statement.name}\0`)), options)
    }
    isStale = false
    return answer
  }
}

const HEAD = 5

function textIn(message: Uint8Array): string {
  return Buffer.from(message.subarray(HEAD)).toString()
}

/** The message with a name where its body has an empty one after so many bytes. */
function withName(message: Uint8Array, offset: number, name: string): Uint8Array {
  const at = HEAD + offset
  const body = Buffer.concat([message.subarray(HEAD, at), Buffer.from(name), message.subarray(at)])
  return messageOf(String.fromCharCode(message[0] ?? 0), body)
}

function messageOf(type: string, body: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
}
