/** What people are in a workspace: owner, admin, member or guest, and their user groups. */
import type { webApi } from '@slack/bolt'
import { type Clock, type Logger, type Person, RecentMap } from 'kikimimi'
import type { Membership } from 'kikimimi/platform'
import { type Self, userOf } from '../web-api/account.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { WHERE } from '../web-api/scopes.ts'

/** How old what is known may be, in milliseconds. Events tell of changes before. */
const FRESH_MS = 60_000

/** Largest number of people that are remembered. */
const PEOPLE = 5_000

export interface Members {
  /** Rejects when Slack does not say it now. */
  membership(person: Person, signal: AbortSignal): Promise<Membership | undefined>
  /** An account has changed. */
  changed(user: string): void
  /** User groups, or their members, have changed. */
  groupsChanged(): void
}

export interface MembersOptions {
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly calls: Calls
  readonly account: Pick<Self, 'personId' | 'team'>
}

/** A user group in Slack's format. */
type Group = NonNullable<webApi.UsergroupsListResponse['usergroups']>[number]

interface Kept<T> {
  readonly value: Promise<T>
  readonly until: number
}

export function createMembers({ clock, log, calls: { call }, account: { personId, team } }: MembersOptions): Members {
  const ranks = new RecentMap<Kept<Membership['rank'] | undefined>>(PEOPLE)
  let groups: Kept<readonly Group[]> | undefined
  let isWarned = false

  /** A value that is fresh. A failure is not kept. */
  function fresh<T>(known: Kept<T> | undefined, load: () => Promise<T>, keep: (kept: Kept<T> | undefined) => void): Promise<T> {
    if (known && known.until > clock.now()) return known.value
    const kept = { value: load(), until: clock.now() + FRESH_MS }
    keep(kept)
    kept.value.catch(() => keep(undefined))
    return kept.value
  }

  async function rankOf(id: string, signal: AbortSignal): Promise<Membership['rank'] | undefined> {
    const { user } = await call('users.info', client => client.users.info({ user: id }), { signal, tries: 2 }).catch(unknown)
    if (!user || user.deleted) return undefined
    // An admin of another workspace is a guest here.
    const isOutside = user.is_stranger === true || (user.team_id !== undefined && user.team_id !== team && !isOf(user))
    if (isOutside || user.is_restricted || user.is_ultra_restricted) return 'guest'
    return user.is_owner || user.is_primary_owner ? 'owner' : user.is_admin ? 'admin' : 'member'
  }

  /** Whether an account of an organization belongs to this workspace. */
  const isOf = ({ enterprise_user }: User) => enterprise_user?.teams?.includes(team) === true

  async function listGroups(signal: AbortSignal): Promise<readonly Group[]> {
    try {
      const list = (client: webApi.WebClient) => client.usergroups.list({ include_users: true })
      return (await call('usergroups.list', list, { signal, tries: 2 })).usergroups ?? []
    } catch (error) {
      if (refusalOf(error) === 'missing_scope' && !isWarned) {
        isWarned = true
        log.warn(`access: user groups cannot be read, so that nobody is in one; add the scope usergroups:read at ${WHERE}`)
      }
      throw error
    }
  }

  return {
    async membership({ id: person }, signal) {
      const id = userOf(person)
      // An app that posts without an account has an id of its own.
      if (personId(id) !== person || !/^[UW]/.test(id)) return undefined
      const rank = await fresh(
        ranks.get(id),
        () => rankOf(id, signal),
        kept => {
          if (kept) ranks.set(id, kept)
          else ranks.delete(id)
        },
      )
      if (rank === undefined) return undefined
      return {
        rank,
        async roles() {
          const all = await fresh(
            groups,
            () => listGroups(signal),
            kept => {
              groups = kept
            },
          )
          const own = all.filter(({ users = [], date_delete }) => !date_delete && users.includes(id))
          return own.map(({ id: group = '', handle = '', name = '' }) => ({
            id: group,
            names: [handle, `@${handle}`, name].filter(one => one !== '' && one !== '@'),
          }))
        },
      }
    },

    changed: user => void ranks.delete(user),
    groupsChanged() {
      groups = undefined
    },
  }
}

type User = NonNullable<webApi.UsersInfoResponse['user']>

/** No such account in this workspace. Other errors say nothing about the person. */
function unknown(error: unknown): { readonly user?: undefined } {
  const code = refusalOf(error)
  if (code === 'user_not_found' || code === 'user_not_visible') return {}
  throw error
}
