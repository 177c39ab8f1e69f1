/** What people are in a server: their roles, from events and, where none is fresh, from a request. */
import {
  type APIGuild,
  type APIGuildMember,
  type Client,
  GuildMemberFlags,
  PermissionFlagsBits,
  PermissionsBitField,
  type REST,
  Routes,
} from 'discord.js'
import { type Clock, type Conversation, type Person, RecentMap } from 'kikimimi'
import type { Membership } from 'kikimimi/platform'
import type { Calls } from '../rest/calls.ts'
import { isStranger } from '../rest/errors.ts'

/** How old what is known may be, in milliseconds. An event of the person itself is always newer. */
const FRESH_MS = 30_000

/** Largest number of people, and of servers, that are remembered. */
const PEOPLE = 5_000
const SERVERS = 200

const { ManageGuild, Administrator } = PermissionFlagsBits

/** The part of a member that events have. */
export interface ToldMember {
  readonly roles?: readonly string[]
  readonly flags?: number
}

export interface Members {
  /** An event says what a person is now. */
  told(server: string | undefined, person: string | undefined, member: ToldMember | undefined): void
  /** A person has left the server. */
  left(server: string, person: string): void
  membership(conversation: Conversation, person: Person, signal: AbortSignal): Promise<Membership | undefined>
}

export interface MembersOptions {
  readonly call: Calls
  readonly rest: REST
  readonly clock: Clock
  clientOf(server: string): Client | undefined
}

/** The part of a server that says what its roles are. */
interface Server {
  readonly owner: string
  readonly roles: readonly { readonly id: string; readonly name: string; readonly permissions: bigint }[]
}

export function createMembers({ call, rest, clock, clientOf }: MembersOptions): Members {
  const people = createCache<ToldMember | undefined>(clock, PEOPLE)
  const servers = createCache<Server>(clock, SERVERS)
  const keyOf = (server: string, person: string) => `${server}/${person}`

  async function memberOf(server: string, person: string, signal: AbortSignal): Promise<ToldMember | undefined> {
    const ask = (inTime: AbortSignal) =>
      rest.get(Routes.guildMember(server, person), { signal: inTime }) as Promise<APIGuildMember>
    try {
      return await call(ask, signal)
    } catch (error) {
      if (isStranger(error)) return undefined
      throw error
    }
  }

  /** discord.js hears of each change of a role. A server of another process is asked for. */
  async function serverOf(id: string, signal: AbortSignal): Promise<Server> {
    const known = clientOf(id)?.guilds.cache.get(id)
    if (known) {
      const roles = [...known.roles.cache.values()].map(({ id, name, permissions }) => ({
        id,
        name,
        permissions: permissions.bitfield,
      }))
      return { owner: known.ownerId, roles }
    }
    return servers.get(id, async () => {
      const { owner_id, roles } = await call(
        inTime => rest.get(Routes.guild(id), { signal: inTime }) as Promise<APIGuild>,
        signal,
      )
      return {
        owner: owner_id,
        roles: roles.map(({ id, name, permissions }) => ({ id, name, permissions: BigInt(permissions) })),
      }
    })
  }

  return {
    told(server, person, member) {
      if (server === undefined || person === undefined || !member?.roles) return
      people.set(keyOf(server, person), member)
    },

    left: (server, person) => people.set(keyOf(server, person), undefined),

    async membership({ workspace: server }, { id }, signal) {
      // A direct message belongs to no server.
      if (server === '') return undefined
      const member = await people.get(keyOf(server, id), () => memberOf(server, id, signal))
      if (!member) return undefined
      const { owner, roles } = await serverOf(server, signal)
      const own = roles.filter(role => member.roles?.includes(role.id))
      const everyone = roles.find(role => role.id === server)
      const isAdmin = [everyone, ...own].some(
        role => role && new PermissionsBitField(role.permissions).any([ManageGuild, Administrator]),
      )
      const isGuest = ((member.flags ?? 0) & GuildMemberFlags.IsGuest) !== 0
      return {
        rank: owner === id ? 'owner' : isAdmin ? 'admin' : isGuest ? 'guest' : 'member',
        roles: () => own.map(role => ({ id: role.id, names: [role.name] })),
      }
    },
  }
}

/** Values that are used for a short time. A failure is not kept. */
function createCache<T>(clock: Clock, size: number) {
  const entries = new RecentMap<{ readonly value: Promise<T>; readonly until: number }>(size)

  function set(key: string, value: Promise<T>): void {
    const entry = { value, until: clock.now() + FRESH_MS }
    entries.set(key, entry)
    value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
  }

  return {
    set: (key: string, value: T) => set(key, Promise.resolve(value)),
    get(key: string, load: () => Promise<T>): Promise<T> {
      const known = entries.get(key)
      if (known && known.until > clock.now()) return known.value
      const value = load()
      set(key, value)
      return value
    },
  }
}
