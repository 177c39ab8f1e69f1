/** The accounts of the dashboard. The account `owner` is always there, and its password is the one of the options. */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from 'kikimimi'
import type { Role } from './roles.ts'

/** The account whose password is in the options. It cannot be removed, and stays an owner. */
export const OWNER = 'owner'

export interface Account {
  readonly name: string
  readonly role: Role
  /** Whether a second factor is set. */
  readonly secondFactor: boolean
}

export interface Accounts {
  all(): Promise<readonly Account[]>
  /** False: the name is taken. */
  add(account: Pick<Account, 'name' | 'role'>, password: string): Promise<boolean>
  /** Ends all sessions of the account. False: there is none, or it is `owner`. */
  change(name: string, to: { readonly role?: Role | undefined; readonly password?: string | undefined }): Promise<boolean>
  /** Ends all sessions of the account. False: there is none, or it is `owner`. */
  remove(name: string): Promise<boolean>
  /** Whether that is the password of that account. It takes as long for an unknown name. */
  isPassword(name: string, password: string): Promise<boolean>
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)
/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const LENGTH = 32

export function createAccounts(ownerPassword: string, db: Database): Accounts {
  const known = digest(ownerPassword)

  return {
    async all() {
      const { rows } = await db.query<Account>(
        `select name, role, totp is not null as "secondFactor" from dashboard.account order by name <> $1, name`,
        [OWNER],
      )
      return rows
    },

    async add({ name, role }, password) {
      const { rowCount } = await db.query(
        'insert into dashboard.account (name, role, password) values ($1, $2, $3) on conflict (name) do nothing',
        [name, role, await hashed(password)],
      )
      return rowCount > 0
    },

    async change(name, { role, password }) {
      if (name === OWNER) return false
      const hash = password === undefined ? null : await hashed(password)
      return db.transaction(async () => {
        const { rowCount } = await db.query(
          'update dashboard.account set role = coalesce($2, role), password = coalesce($3, password) where name = $1',
          [name, role ?? null, hash],
        )
        await db.query('delete from dashboard.session where account = $1', [name])
        return rowCount > 0
      })
    },

    async remove(name) {
      const { rowCount } = await db.query('delete from dashboard.account where name = $1 and name <> $2', [name, OWNER])
      return rowCount > 0
    },

    async isPassword(name, password) {
      if (name === OWNER) return timingSafeEqual(digest(password), known)
      const { rows } = await db.query<{ password: string }>('select password from dashboard.account where name = $1', [name])
      const [salt = '', hash = ''] = rows[0]?.password.split('.') ?? []
      const derived = await derive(password, Buffer.from(salt, 'base64'), LENGTH, COST)
      const wanted = Buffer.from(hash, 'base64')
      return wanted.length === LENGTH && timingSafeEqual(derived, wanted)
    },
  }
}

async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('base64')}.${(await derive(password, salt, LENGTH, COST)).toString('base64')}`
}

/** Hashes have equal lengths, so the time of the comparison shows nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
