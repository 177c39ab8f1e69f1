/** Answers who may call the bot, use its tools and give it orders. What cannot be looked up is refused. */
import { type CheckedRules, type Group, type People, peopleFor, readSelector, toldPeople } from '../../api/checks/access-rules.ts'
import type { Access, Conversation, Membership, Person, Platform, Tool } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import { currentTurn } from '../../kernel/pipeline/trace.ts'
import type { CallGuard } from '../../kernel/turns/turn-settings.ts'
import type { Caller } from '../../models/budget.ts'

export interface AccessOptions {
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the bot takes no more messages. */
  readonly closing: AbortSignal
  /** The rules of bot.config.ts now. */
  readonly settings: { readonly current: { rules(conversation: Conversation): CheckedRules } }
}

export interface Callers {
  /** The person whose call the running code works for, and the limits of the place. */
  caller(): Caller | undefined
  /** The limits of a person in a place. Nothing on a console: there are none. */
  callerIn(conversation: Conversation, person: Person): Caller | undefined
}

export interface BotAccess extends Access, CallGuard, Callers {
  /** The tools that all people may use for whom the running code works. */
  permitted(tools: readonly Tool[]): Promise<readonly Tool[]>
}

/** Milliseconds that a platform has to say what a person is. */
const PATIENCE = 5_000

/** Milliseconds between two lines of the log about lookups that fail. */
const LOG_EVERY = 60_000

export function createAccess({ platforms, clock, log, closing, settings }: AccessOptions): BotAccess {
  let loggedAt = Number.NEGATIVE_INFINITY

  /** Rejects when the platform does not know it now. */
  async function membership(conversation: Conversation, person: Person): Promise<Membership | undefined> {
    const platform = platforms.get(conversation.platform)
    const late = () => new Error('the platform did not answer in time')
    return withTimeout({ clock, ms: PATIENCE, late, signal: closing }, async signal =>
      platform?.membership?.(conversation, person, signal),
    )
  }

  /** Why the person is not among these people, as a trace says it. */
  async function refuses(rule: string, people: People, conversation: Conversation, person: Person): Promise<string | undefined> {
    if (people === 'everyone' || platforms.get(conversation.platform)?.isConsole) return undefined
    const selectors = people.flatMap(one => readSelector(one) ?? [])
    const why = `${rule}: ${toldPeople(people)}, ${placed(conversation)}`
    if (selectors.some(one => one.kind === 'person' && one.id === person.id)) return undefined
    if (selectors.every(({ kind }) => kind === 'person')) return why
    try {
      const member = await membership(conversation, person)
      if (!member) return why
      if (selectors.some(one => one.kind === 'group' && hasRank(one.group, member, person))) return undefined
      const roles = selectors.some(({ kind }) => kind === 'role') ? await member.roles() : []
      const has = (role: string) => roles.some(({ id, names }) => id === role || names.includes(role))
      return selectors.some(one => one.kind === 'role' && has(one.id)) ? undefined : why
    } catch (error) {
      if (clock.now() - loggedAt >= LOG_EVERY) {
        loggedAt = clock.now()
        log.warn(`access: what a person is in ${conversation.platform} could not be looked up, and is refused: ${reason(error)}`)
      }
      return `${why} (what the person is could not be looked up)`
    }
  }

  const refusesOrders = (conversation: Conversation, person: Person) =>
    refuses('access.orders', settings.current.rules(conversation).orders, conversation, person)

  async function refusesTool({ name, isOrder, allows }: Tool, conversation: Conversation, person: Person) {
    const checks = [
      refuses(`access.tools.${name}`, peopleFor(name, settings.current.rules(conversation).tools), conversation, person),
      ...(isOrder ? [refusesOrders(conversation, person)] : []),
      ...(allows ? [refuses(`tool ${name}`, allows(conversation), conversation, person)] : []),
    ]
    return (await Promise.all(checks)).find(why => why !== undefined)
  }

  return {
    refuses(conversation, person) {
      const { call } = settings.current.rules(conversation)
      return call === 'everyone' ? undefined : refuses('access.call', call, conversation, person)
    },
    isAmong: async (conversation, person, people) => (await refuses('people', people, conversation, person)) === undefined,
    refusesOrders,
    refusesTool,

    ...createCallers({ platforms, settings }),

    async permitted(tools) {
      const { conversation, askers, trace } = currentTurn.getStore() ?? {}
      // Work of a plugin itself, for no person.
      if (!conversation || !askers) return tools
      const refusals = await Promise.all(
        tools.map(async tool => {
          const checks = askers.map(person => refusesTool(tool, conversation, person))
          return (await Promise.all(checks)).find(why => why !== undefined)
        }),
      )
      const withheld = tools.flatMap(({ name: tool }, index) => {
        const why = refusals[index]
        return why === undefined ? [] : [{ tool, why }]
      })
      if (trace && withheld.length > 0) trace.withheld = withheld
      return tools.filter((_, index) => refusals[index] === undefined)
    },
  }
}

export function createCallers({ platforms, settings }: Pick<AccessOptions, 'platforms' | 'settings'>): Callers {
  const callerIn = (conversation: Conversation, person: Person): Caller | undefined => {
    if (platforms.get(conversation.platform)?.isConsole) return undefined
    const { callsPerHour, tokensPerHour } = settings.current.rules(conversation)
    return { conversation, person, callsPerHour, tokensPerHour }
  }
  return {
    callerIn,
    caller() {
      const { conversation, caller } = currentTurn.getStore() ?? {}
      return conversation && caller && callerIn(conversation, caller)
    },
  }
}

function hasRank(group: Group, { rank }: Membership, { bot }: Person): boolean {
  return !bot && RANKS[group].includes(rank)
}

/** The ranks of each group. */
const RANKS: Readonly<Record<Group, readonly Membership['rank'][]>> = {
  owners: ['owner'],
  admins: ['owner', 'admin'],
  members: ['owner', 'admin', 'member'],
  guests: ['guest'],
}

function placed({ visibility, name }: Conversation): string {
  return visibility === 'direct' ? 'in a direct message' : `#${name}`
}
