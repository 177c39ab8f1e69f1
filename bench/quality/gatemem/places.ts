/**
 * Where the people of an episode talk. The data has one talk without places. Its relationships say who belongs to a household or to a
 * project, and its texts what is private. All else is said in the public channel, with readers that no platform can tell apart.
 */
import type { Visibility } from 'kikimimi/platform'
import type { Checkpoint, Episode, Turn } from './data.ts'

export interface Place {
  readonly channel: string
  readonly visibility: Visibility
}

export interface Places {
  placeOf(turn: Turn): Place
  /** In the private channel that the question is about, if the asker is a member of it; else in a direct message. */
  askedIn(checkpoint: Checkpoint): Place
  /** Whether what was said in one place may be shown in another one. */
  isReadable(from: Place, where: Place): boolean
}

const GENERAL: Place = { channel: 'general', visibility: 'public' }

/** What a household keeps to itself. */
const CREDENTIAL = /\b(?:pins?|codes?|keypads?|passcodes?|passphrases?|passwords?|phrases?|hidden|spare|resident-only)\b/i
const PRIVATE = /\bprivate\b/i

/** A contractor works for a project without being a member. */
const MEMBERS = ['project_member', 'budget_owner', 'legal_reviewer', 'executive_sponsor', 'procurement_owner', 'operations_owner']

export function placesOf({ domain, entities: { relationships } }: Episode): Places {
  const isReadable = (from: Place, where: Place) => from.visibility === 'public' || from.channel === where.channel
  if (domain === 'household') {
    const household = new Set(
      relationships.flatMap(({ type, principal_id }) => (type === 'household_member' ? principal_id : [])),
    )
    const home: Place = { channel: 'home', visibility: 'private' }
    return {
      isReadable,
      placeOf({ speaker: { principal_id }, text }) {
        if (!household.has(principal_id)) return GENERAL
        return PRIVATE.test(text) ? direct(principal_id) : CREDENTIAL.test(text) ? home : GENERAL
      },
      askedIn({ asker: { principal_id }, query_text }) {
        return household.has(principal_id) && !PRIVATE.test(query_text) ? home : direct(principal_id)
      },
    }
  }
  const projects = Map.groupBy(
    relationships.filter(({ type, project_id }) => project_id !== undefined && MEMBERS.includes(type)),
    ({ project_id = '' }) => project_id,
  )
  const channels = [...projects].map(([id, members]) => ({
    place: { channel: id, visibility: 'private' } as const,
    name: new RegExp(`\\b${id.replace(/^project_/, '').replaceAll('_', ' ')}\\b`, 'i'),
    members: new Set(members.map(({ principal_id }) => principal_id)),
  }))
  const channelFor = (person: string, text: string) =>
    channels.find(({ name, members }) => members.has(person) && name.test(text))?.place
  return {
    isReadable,
    placeOf: ({ speaker: { principal_id }, text }) => channelFor(principal_id, text) ?? GENERAL,
    askedIn: ({ asker: { principal_id }, query_text }) => channelFor(principal_id, query_text) ?? direct(principal_id),
  }
}

function direct(person: string): Place {
  return { channel: `direct-${person}`, visibility: 'direct' }
}
