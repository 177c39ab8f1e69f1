/** Reads and checks the rules of `access`. */
import { z } from 'zod'
import { nearest } from '../../base/text/nearest.ts'

const GROUPS = ['owners', 'admins', 'members', 'guests'] as const

export type Group = (typeof GROUPS)[number]

/** An entry of a list of people. */
export type Selector =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'role' | 'person'; readonly id: string }

/** Nothing for a text that is no selector. */
export function readSelector(text: string): Selector | undefined {
  const group = GROUPS.find(one => one === text)
  if (group) return { kind: 'group', group }
  const [, kind, id] = /^(role|person):\s*(\S.*)$/s.exec(text) ?? []
  return (kind === 'role' || kind === 'person') && id !== undefined ? { kind, id: id.trim() } : undefined
}

/** The people that a rule names, checked. An empty list allows no person. */
export type People = 'everyone' | readonly string[]

/** The rule without the ids of people: others read the trace. */
export function toldPeople(people: People): string {
  if (people === 'everyone') return people
  const selectors = people.flatMap(one => readSelector(one) ?? [])
  const count = selectors.filter(({ kind }) => kind === 'person').length
  const named = selectors.flatMap(one => (one.kind === 'group' ? [one.group] : one.kind === 'role' ? [`role:${one.id}`] : []))
  const all = [...named, ...(count > 0 ? [count === 1 ? 'one person' : `${count} people`] : [])]
  return all.length === 0 ? 'nobody' : `only ${all.join(', ')}`
}

/** The people who may use a tool. */
export function peopleFor(tool: string, rules: CheckedRules['tools']): People {
  if (rules === 'everyone' || Array.isArray(rules)) return rules
  const byName = rules as Readonly<Record<string, People>>
  return (Object.hasOwn(byName, tool) ? byName[tool] : byName['*']) ?? 'everyone'
}

const EXPECTED = `expected 'everyone', 'nobody', or a list of ${GROUPS.join(', ')}, role:NAME, person:ID`

/** Schema of an option that names people: `'everyone'`, `'nobody'`, or a list as in `access` of bot.config.ts. */
export const people = z.union([z.string(), z.array(z.string())], { error: EXPECTED }).transform((given, context): People => {
  if (given === 'everyone') return given
  const list = typeof given === 'string' ? given.split(/[,、]/).map(one => one.trim()) : given
  if (given === 'nobody') return []
  for (const one of list) {
    if (readSelector(one)) continue
    const meant = nearest(one, GROUPS)
    const hint = meant === undefined ? '' : `. Did you mean "${meant}"?`
    context.addIssue({ code: 'custom', message: `${EXPECTED}, got ${JSON.stringify(one)}${hint}` })
  }
  return list
})

const quota = z.int().min(1)

/** The schema of the rules. */
export const accessRules = z.strictObject({
  /** Who may call the bot: by a mention, a reply, its name, a direct message or a command. Default `'everyone'`. */
  call: people.prefault('everyone').describe('Who may call the bot.'),
  /** Who may give orders that change what the bot does or remembers: settings, quiet, remember, forget. Default `'everyone'`. */
  orders: people.prefault('everyone').describe('Who may give orders that change what the bot does or remembers.'),
  /**
   * Whose calls may use tools: of all tools, or for tools by their name (`{ make_poll: ['admins'] }`; `'*'` stands for all others, by
   * default everyone). Default `'everyone'`.
   */
  tools: z
    .union([people, z.record(z.string(), people)], { error: `${EXPECTED}, or one of these for tools by their names` })
    .prefault('everyone')
    .describe('Whose calls may use tools: of all tools, or of each by its name.'),
  /** How many calls a person may make in an hour. Default: unlimited. */
  callsPerHour: quota.optional().describe('How many calls a person may make in an hour. Default: unlimited.'),
  /** How many tokens the calls of a person may use in an hour. Default: unlimited. */
  tokensPerHour: quota.optional().describe('How many tokens the calls of a person may use in an hour. Default: unlimited.'),
})

/** The checked rules of a place. */
export type CheckedRules = z.output<typeof accessRules>

/** The schema of the rules of one place: only what differs there. */
export const placeRules = z.strictObject({
  call: people.optional(),
  orders: people.optional(),
  tools: z.union([people, z.record(z.string(), people)]).optional(),
  callsPerHour: quota.optional(),
  tokensPerHour: quota.optional(),
})
