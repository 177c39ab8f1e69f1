/** What other machines can reach. */
import { type Diagnosis, ok } from '../diagnosis.ts'
import { isThisMachine, placeOf, type Subject } from './subject.ts'

const ADDRESS = /\bhttp\s*:|KIKIMIMI_HTTP/

export function exposedServer(subject: Subject): Diagnosis[] {
  const { host, plugins } = subject
  if (host === undefined) return [ok('HTTP: no server')]
  if (isThisMachine(host)) return [ok('HTTP: only this machine can reach the server')]
  const found: Diagnosis[] = [
    {
      severity: 'warning',
      what: `the HTTP server listens on ${host} without TLS: passwords and private conversations cross the network in plain text`,
      where: placeOf(subject, ADDRESS),
      remedy:
        'Listen on 127.0.0.1, and put a proxy with https before it. Ignore this if the network is private, such as that of a container.',
    },
  ]
  const dashboard = plugins.find(({ name }) => name === 'dashboard')
  if (dashboard && passwordOf(dashboard.options) === '')
    found.push({
      severity: 'error',
      what: `the dashboard has no password, and other machines can reach it on ${host}`,
      where: placeOf(subject, /dashboard\(/),
      remedy: 'Set DASHBOARD_PASSWORD to 12 characters or more, or listen on 127.0.0.1.',
    })
  return found
}

/** Words that are tried first, also with digits after them. */
const COMMON = new Set(
  'password passw0rd mypassword kikimimi kiki admin administrator postgres root secret changeme change-me letmein qwerty qwertyuiop default dashboard test'.split(
    ' ',
  ),
)

function isGuessable(password: string): boolean {
  return COMMON.has(password.toLowerCase().replace(/(?<![\d!])[\d!]+$/, '')) || /^(?:\d*|(.)\1*)$/.test(password)
}

export function weakPasswords({ plugins, settings, ...subject }: Subject): Diagnosis[] {
  const found: Diagnosis[] = []
  const dashboard = plugins.find(({ name }) => name === 'dashboard')
  if (dashboard && isGuessable(passwordOf(dashboard.options)) && passwordOf(dashboard.options) !== '')
    found.push({
      severity: 'error',
      what: 'the password of the dashboard is one that is guessed first',
      where: placeOf(subject, /DASHBOARD_PASSWORD|password/),
      remedy: 'Take a random one: openssl rand -base64 24',
    })
  const server = serverOf(settings.database)
  const inUrl = decodeURIComponent(server?.password ?? '')
  const password = inUrl || subject.env.PGPASSWORD || ''
  if (server && !isThisMachine(server.hostname) && password !== '' && isGuessable(password))
    found.push({
      severity: 'error',
      what: `the password of the database on ${server.hostname} is one that is guessed first`,
      where: inUrl ? placeOf(subject, /DATABASE_URL|database\s*:/) : 'environment',
      remedy: `Change it on the server and in ${inUrl ? 'the URL' : (subject.env.PGPASSWORD_FILE ?? 'PGPASSWORD')}: openssl rand -hex 24`,
    })
  return found.length > 0 ? found : [ok('passwords: none is guessed easily')]
}

export function plainDatabase({ settings, ...subject }: Subject): Diagnosis[] {
  const server = serverOf(settings.database)
  if (!server || isThisMachine(server.hostname)) return [ok('database: on this machine')]
  const mode = server.searchParams.get('sslmode')
  if (mode !== null && !/^(?:disable|allow|prefer)$/.test(mode)) return [ok(`database: encrypted connection (sslmode=${mode})`)]
  return [
    {
      severity: 'warning',
      what: `the connection to the database on ${server.hostname} is not encrypted`,
      where: placeOf(subject, /DATABASE_URL|database\s*:/),
      remedy: 'Add ?sslmode=verify-full to the URL. Ignore this if the network is private, such as that of a container.',
    },
  ]
}

function passwordOf(options: unknown): string {
  const { password } = (options ?? {}) as { readonly password?: unknown }
  return typeof password === 'string' ? password : ''
}

function serverOf(database: string | false): URL | undefined {
  return database !== false && /^postgres(ql)?:/.test(database) && URL.canParse(database) ? new URL(database) : undefined
}
