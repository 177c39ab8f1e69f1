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

/** Why an account with this role may not use a route. Nothing: it may. A route without a declared role is closed for everybody. */
export function refusal(role: Role, { role: wanted }: { readonly role?: Role | undefined }): string | undefined {
  if (wanted === undefined) return NO_ROLE
  return allows(role, wanted) ? undefined : `Only the role ${wanted} may do this.`
}

const NO_ROLE =
  "This route names nobody who may use it. Add config: { role: 'viewer' }, 'moderator' or 'owner' to it, or { public: true }."
