/** The database, the process and the versions of its packages. */
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import type { Database, Operator, PluginDefinition } from 'kikimimi'
import type { HealthView } from './views.ts'

const kikimimi = manifestOf(import.meta.resolve('kikimimi')).version

export async function databaseOf(db: Database): Promise<HealthView['database']> {
  const { rows } = await db.query<{ version: string; pgvector: string; bytes: number; migrations: number; oldest: Date | null }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, (select extversion from pg_extension where extname = 'vector') as pgvector,
       pg_database_size(current_database())::float8 as bytes, (select count(*)::int from kikimimi_v1.migration) as migrations,
       (select min(at) from kikimimi_v1.trace) as oldest`,
  )
  const { oldest = null, ...found } = rows[0] ?? { version: '', pgvector: '', bytes: 0, migrations: 0 }
  return {
    ...found,
    kind: db.kind === 'pglite' ? 'PGlite' : 'Postgres',
    ...(oldest && { oldestTrace: oldest.toISOString() }),
  }
}

/** The process that answers this request. Several can share one address. */
export async function processOf(db: Database): Promise<HealthView['process']> {
  return {
    host: hostname(),
    pid: process.pid,
    // Both from the clock of the machine, because the clock of the bot may differ.
    upSince: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    memory: process.memoryUsage.rss(),
    others: await others(db),
  }
}

/** PGlite belongs to one process. On a server, each process has one connection that listens. */
async function others(db: Database): Promise<number> {
  if (db.kind === 'pglite') return 0
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'kikimimi listens'`,
  )
  return Math.max(0, (rows[0]?.count ?? 1) - 1)
}

export async function versionsOf(plugins: Operator['plugins']): Promise<HealthView['versions']> {
  const named = plugins.map(async definition => {
    const version = await versionOf(definition)
    return { name: definition.name, ...(version !== undefined && { version }) }
  })
  return { kikimimi, node: process.version, plugins: await Promise.all(named) }
}

/** Versions of kikimimi packages. A plugin of the user has none, even with the same name. */
async function versionOf(definition: PluginDefinition): Promise<string | undefined> {
  const specifier = `@kikimimi/${definition.name}`
  try {
    const { default: made }: { default?: { definition?: PluginDefinition } } = await import(specifier)
    return made?.definition === definition ? manifestOf(import.meta.resolve(specifier)).version : undefined
  } catch {
    return undefined
  }
}

function manifestOf(entry: string): { readonly version: string } {
  return createRequire(entry)('./package.json')
}
