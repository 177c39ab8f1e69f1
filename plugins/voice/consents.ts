/** The people who have allowed the bot to listen to them, in each server. */
import type { ForgottenPerson, PluginContext } from 'kikimimi'

/** The only platform with voice channels. */
const PLATFORM = 'discord'
/** The channel of the NOTIFY. */
const CHANGED = 'voice.consent'

/** A change of a consent, in any process of the bot. */
export interface ConsentChange {
  readonly workspace: string
  readonly person: string
  readonly given: boolean
}

export interface Consents {
  /** The ids of the people who have given it in a server. */
  of(workspace: string): Promise<ReadonlySet<string>>
  change(change: ConsentChange): Promise<void>
  /** Takes back all that a person has given so far. */
  forget(person: ForgottenPerson): Promise<void>
}

/** @param changed runs in every process, in this one before `change` resolves */
export async function createConsents(
  { db, clock, scope }: Pick<PluginContext, 'db' | 'clock' | 'scope'>,
  changed: (change: ConsentChange) => void,
): Promise<Consents> {
  const heard = (payload: string) => changed(JSON.parse(payload) as ConsentChange)
  scope.defer(await db.listen(CHANGED, heard))

  async function tell(change: ConsentChange): Promise<void> {
    changed(change)
    await db.query('select pg_notify($1, $2)', [CHANGED, JSON.stringify(change)])
  }

  return {
    async of(workspace) {
      const { rows } = await db.query<{ person: string }>(
        'select person from voice.consent where platform = $1 and workspace = $2',
        [PLATFORM, workspace],
      )
      return new Set(rows.map(({ person }) => person))
    },

    async change(change) {
      const { workspace, person, given } = change
      // Before it is stored: the person has said no.
      if (!given) changed(change)
      if (given) await db.query(GIVE, [PLATFORM, workspace, person, new Date(clock.now())])
      else await db.query(TAKE, [PLATFORM, workspace, person])
      await tell(change)
    },

    async forget({ platform, id, before }) {
      if (platform !== PLATFORM) return
      const { rows } = await db.query<{ workspace: string }>(FORGET, [PLATFORM, id, before])
      for (const { workspace } of rows) await tell({ workspace, person: id, given: false })
    },
  }
}

const GIVE = 'insert into voice.consent (platform, workspace, person, given_at) values ($1, $2, $3, $4) on conflict do nothing'
const TAKE = 'delete from voice.consent where platform = $1 and workspace = $2 and person = $3'
const FORGET = 'delete from voice.consent where platform = $1 and person = $2 and given_at <= $3 returning workspace'
