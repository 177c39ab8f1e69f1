/** The server of the database: its clock, its version, its extension, and the size of the data. */
import { statfs } from 'node:fs/promises'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'

/** Jobs and turns would be late by so much, in milliseconds. */
const CLOCK = { warning: 2_000, error: 60_000 }

export async function clockDifference({ db, clock }: Patient): Promise<Diagnosis[]> {
  const before = clock.now()
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now')
  const here = (before + clock.now()) / 2
  const difference = Math.abs((rows[0]?.now.getTime() ?? here) - here)
  if (difference < CLOCK.warning) return [ok(`clock: ${(difference / 1_000).toFixed(1)} s from the database`)]
  return [
    {
      severity: difference < CLOCK.error ? 'warning' : 'error',
      what: `the clock of this machine differs by ${Math.round(difference / 1_000)} s from that of the database`,
      remedy: 'Synchronize both with NTP: jobs run at the wrong time, and processes take each other for dead.',
    },
  ]
}

export async function versions({ db }: Patient): Promise<Diagnosis[]> {
  const { rows } = await db.query<{ server: string; installed: string | null; available: string | null }>(
    `select current_setting('server_version') as server, installed_version as installed, default_version as available
     from pg_available_extensions where name = 'vector'`,
  )
  const [{ server, installed, available } = { server: 'unknown', installed: null, available: null }] = rows
  if (installed === null || available === null || installed === available)
    return [ok(`versions: Postgres ${server}, pgvector ${installed ?? 'not installed'}`)]
  return [
    {
      severity: 'warning',
      what: `pgvector ${installed} is in use, and the server has ${available}`,
      remedy: 'Update the extension.',
      async fix() {
        await db.query('alter extension vector update')
        return `updated pgvector to ${available}`
      },
    },
  ]
}

const MB = 1024 ** 2
/** Free space below which the database can stop. */
const FREE = { warning: 1_024 * MB, error: 100 * MB }
const LARGEST = 3

export async function space({ db, folder }: Patient): Promise<Diagnosis[]> {
  const { rows } = await db.query<{ total: number }>('select pg_database_size(current_database())::float8 as total')
  const { rows: tables } = await db.query<{ name: string; bytes: number }>(
    `select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 2 desc limit $1`,
    [LARGEST],
  )
  const largest = tables.map(({ name, bytes }) => `${name} ${sized(bytes)}`).join(', ')
  const size = `size: ${sized(rows[0]?.total ?? 0)}${largest && `; the largest ${counted(tables.length, 'table')}: ${largest}`}`
  if (folder === undefined) return [ok(size)]
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= FREE.warning) return [ok(`${size}; ${sized(free)} free`)]
  return [
    {
      severity: free < FREE.error ? 'error' : 'warning',
      what: `only ${sized(free)} are free on the disk of the data (${size})`,
      where: folder,
      remedy: 'Free space: without it the database stops. Shorter times of "retention" make the data smaller.',
    },
  ]
}

function sized(bytes: number): string {
  return bytes >= 1_024 * MB ? `${(bytes / 1_024 / MB).toFixed(1)} GB` : `${(bytes / MB).toFixed(1)} MB`
}
