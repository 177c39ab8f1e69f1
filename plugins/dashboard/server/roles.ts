/**
 * What an account may do. Each role may do everything that the one before it may.
 *
 * - `viewer`: how the bot is doing. Nothing that people said, and no names of people and channels.
 * - `moderator`: everything that was said and is known, and changes of channels and facts.
 * - `owner`: also what cannot be undone, measurements that cost money, and accounts.
 */
export const ROLES = ['viewer', 'moderator', 'owner'] as const

export type Role = (typeof ROLES)[number]

export function allows(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted)
}

/** The role of a route that names none in its `config`. */
export function roleOf(config: unknown, isReading: boolean): Role {
  const { role } = config as { readonly role?: Role }
  return role ?? (isReading ? 'moderator' : 'owner')
}
