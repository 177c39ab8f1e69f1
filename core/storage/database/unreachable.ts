/** What a person can do about a Postgres server that does not let the bot in, or that the bot cannot reach. */
import pg from 'pg'
import { KikimimiError, reason } from '../../base/errors.ts'
import { codeOf, isSilent } from './unavailable.ts'

/** A database on a server, in words. */
export interface Place {
  readonly name: string
  readonly database: string
  readonly user: string
  readonly url: string
}

/** @throws DATABASE_UNREACHABLE for a URL that cannot be read */
export function placeOf(config: pg.ClientConfig): Place {
  try {
    const { host, port, database = '', user = '' } = new pg.Client(config)
    return { name: `Postgres at ${host}:${port}, database "${database}"`, database, user, url: config.connectionString ?? '' }
  } catch {
    // Without the cause: it quotes the URL with its password.
    throw new KikimimiError(
      'DATABASE_UNREACHABLE',
      'The database URL cannot be read. Write postgres://user:password@host:5432/database, with special characters of the password percent-encoded (# is %23).',
    )
  }
}

/** The error of a new connection, as DATABASE_UNREACHABLE. */
export function unreachable(error: unknown, place: Place): KikimimiError {
  const what = codeOf(error) === READ_ONLY ? 'write to' : 'reach'
  return new KikimimiError('DATABASE_UNREACHABLE', `Cannot ${what} ${place.name}: ${whyUnreachable(error, place)}`, {
    cause: error,
  })
}

/** The error of a statement. One of its connection becomes DATABASE_UNREACHABLE. */
export function lostOr(error: unknown, place: Place): unknown {
  if (!isSilent(error) || isTold(error)) return error
  const what = `Lost the connection to ${place.name}: ${reason(error)}`
  return new KikimimiError('DATABASE_UNREACHABLE', `${what}. Check the server and the network.`, { cause: error })
}

const READ_ONLY = '25006'

function isTold(error: unknown): boolean {
  return error instanceof KikimimiError && error.cause !== undefined
}

function whyUnreachable(error: unknown, { database, user, url }: Place): string {
  // `pg` gives no code for these.
  if (/client password must be a/.test(reason(error))) return `no password for the user "${user}". ${wrongPassword(url)}`
  if (/^timeout /.test(reason(error))) {
    return 'it does not answer. Check that the server works, and that no firewall is between it and this machine.'
  }
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Start the server, or correct host and port in DATABASE_URL.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'no such host. Correct it in DATABASE_URL.'
    case '28P01':
      return `wrong password for the user "${user}". ${wrongPassword(url)}`
    case '3D000':
      return `no such database. Make it with: createdb ${database}`
    case READ_ONLY:
      return 'it is read-only. Connect to the primary server, or allow writes.'
    case '53300':
      return `${reason(error)}. End others, raise max_connections of the server, or lower DATABASE_CONNECTIONS.`
    case '57P03':
      return `${reason(error)}. Wait until it has started.`
    default:
      return `${reason(error)}. Check DATABASE_URL, and that the server lets this machine in.`
  }
}

/** What to do about a password that the server refuses: it comes from one of several places. */
export function wrongPassword(url: string, env: NodeJS.ProcessEnv = process.env): string {
  if (URL.parse(url)?.password) return 'Correct it in DATABASE_URL.'
  if (env.PGPASSWORD_FILE && !env.PGPASSWORD)
    return `The file ${env.PGPASSWORD_FILE}, which PGPASSWORD_FILE names, is empty or cannot be read.`
  if (env.PGPASSWORD_FILE) {
    return [
      `It comes from the file ${env.PGPASSWORD_FILE}, which PGPASSWORD_FILE names.`,
      'With Docker Compose the volume of the database keeps the password of its first start, and a later POSTGRES_PASSWORD does not',
      'change it: put the first one back into .env, or change it in the database as docs/operations.md#the-password-of-the-database says.',
    ].join(' ')
  }
  if (env.PGPASSWORD) return 'It comes from PGPASSWORD, because DATABASE_URL has none. Correct it there.'
  return 'DATABASE_URL has none: put it there, or into PGPASSWORD.'
}
