/** The weights that were learned for each channel. The applied ones are a setting of the channel. */
import { type Database, KikimimiError, type Person, type PluginContext, StoredSettings } from 'kikimimi'
import { hashOf, type Model, model, ordered, SHARED } from '../model.ts'
import type { Proposal } from './propose.ts'

export interface Version {
  readonly version: number
  readonly at: Date
  readonly hash: string
  readonly weights: Model
  readonly learned: Pick<Proposal, 'people' | 'examples' | 'answers' | 'strength' | 'replay' | 'isBetter'>
  /** When the version was applied last. Absent: never. */
  readonly appliedAt?: Date
  /** When the version was reverted. Absent: never, or it was applied again. */
  readonly revertedAt?: Date
}

/** Versions of a channel that are kept. */
const KEPT = 20

/** The author of settings that the plugin changes by itself. */
export const SELF: Person = { id: 'attention', name: 'attention' }

export function createVersions(ctx: Pick<PluginContext, 'db' | 'use' | 'clock' | 'log'>) {
  const { db, clock, log } = ctx
  const settings = ctx.use(StoredSettings)
  const setting = (channel: string) => ({ place: channel, plugin: 'attention', key: 'weights' }) as const
  const now = () => new Date(clock.now())

  /** The learned weights that are in use in a channel. Undefined: none are. */
  function setIn(channel: string): Model | undefined {
    const found = settings.list(channel).find(({ plugin, key }) => plugin === 'attention' && key === 'weights')
    const parsed = model.safeParse(found?.value)
    return parsed.success ? ordered(parsed.data) : undefined
  }

  async function list(channel: string): Promise<readonly Version[]> {
    const { rows } = await db.query<Row>(
      `select version, at, hash, weights, learned, applied_at, reverted_at from attention.version
       where channel = $1 order by version desc`,
      [channel],
    )
    return rows.map(({ applied_at, reverted_at, weights, ...row }) => ({
      ...row,
      weights: ordered(weights),
      ...(applied_at && { appliedAt: applied_at }),
      ...(reverted_at && { revertedAt: reverted_at }),
    }))
  }

  return {
    list,
    setIn,

    /** The version in use. Undefined: the channel uses the shared weights, or those of bot.config.ts. */
    async current(channel: string): Promise<Version | undefined> {
      const used = setIn(channel)
      return used && (await list(channel)).find(({ hash }) => hash === hashOf(used))
    },

    /** Stores a new version. Undefined: the channel uses equal weights already, or an equal version is stored. */
    async add(channel: string, { model: weights, ...learned }: Proposal): Promise<Version | undefined> {
      const hash = hashOf(weights)
      const known = await list(channel)
      if (hash === hashOf(setIn(channel) ?? ordered(SHARED)) || known.some(one => one.hash === hash)) return undefined
      const version = (known[0]?.version ?? 0) + 1
      await db.query(
        `insert into attention.version (channel, version, at, hash, weights, learned) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing`,
        [channel, version, now(), hash, JSON.stringify(weights), JSON.stringify(learned)],
      )
      const used = (await this.current(channel))?.version ?? version
      await db.query('delete from attention.version where channel = $1 and version <= $2 and version <> $3', [
        ...[channel, version - KEPT, used],
      ])
      return { version, at: now(), hash, weights, learned }
    },

    /**
     * Puts a version in use.
     *
     * @param version its number. Undefined: the newest version that is better than the weights before it
     * @throws ARGUMENT_INVALID if the channel has no such version
     */
    async apply(channel: string, version: number | undefined, by: Person): Promise<Version> {
      const all = await list(channel)
      const wanted =
        version === undefined ? all.find(({ learned }) => learned.isBetter) : all.find(one => one.version === version)
      if (!wanted) {
        const which = version === undefined ? 'better weights' : `version ${version}`
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          `[attention] ${channel} has no ${which}. List the versions with: attention list`,
        )
      }
      const before = setIn(channel)
      await settings.set({ ...setting(channel), value: wanted.weights, by })
      if (!before || hashOf(before) !== wanted.hash) {
        await db.query(
          'update attention.version set applied_at = $3, before = $4, reverted_at = null where channel = $1 and version = $2',
          [channel, wanted.version, now(), before ? JSON.stringify(before) : null],
        )
      }
      log.info('applied weights', { channel, version: wanted.version, hash: wanted.hash })
      return wanted
    },

    /**
     * Takes the version in use out of use, and restores the weights that the channel had before it.
     *
     * @throws ARGUMENT_INVALID if no version is in use
     */
    async revert(channel: string, by: Person): Promise<Version> {
      const used = await this.current(channel)
      if (!used) throw new KikimimiError('ARGUMENT_INVALID', `[attention] ${channel} uses no learned weights.`)
      const before = await weightsBefore(db, channel, used.version)
      if (before) await settings.set({ ...setting(channel), value: ordered(before), by })
      else await settings.clear(setting(channel))
      await db.query('update attention.version set reverted_at = $3 where channel = $1 and version = $2', [
        ...[channel, used.version, now()],
      ])
      log.info('reverted weights', { channel, version: used.version, hash: used.hash })
      return used
    },

    /** Whether automatic changes are on hold: a person has reverted a version, and no version was applied after that. */
    async isHeld(channel: string): Promise<boolean> {
      const all = await list(channel)
      const reverted = Math.max(...all.map(({ revertedAt }) => revertedAt?.getTime() ?? 0))
      return reverted > 0 && !all.some(({ appliedAt, revertedAt }) => !revertedAt && (appliedAt?.getTime() ?? 0) >= reverted)
    },
  }
}

async function weightsBefore(db: Database, channel: string, version: number): Promise<Model | undefined> {
  const { rows } = await db.query<{ before: Model | null }>(
    'select before from attention.version where channel = $1 and version = $2',
    [channel, version],
  )
  return rows[0]?.before ?? undefined
}

interface Row extends Omit<Version, 'appliedAt' | 'revertedAt'> {
  readonly applied_at: Date | null
  readonly reverted_at: Date | null
}
