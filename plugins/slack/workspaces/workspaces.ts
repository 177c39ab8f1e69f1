/** The workspaces that the bot serves: those of tokens in bot.config.ts, and those in which the app was installed by OAuth. */
import { type Conversation, KikimimiError, type Person } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { createRotatingAccess, type RotationOptions } from '../installations/rotation.ts'
import { type InstallationStore, UNDECIPHERABLE } from '../installations/store.ts'
import { type Access, fixedAccess } from '../web-api/access.ts'
import { accountIn, type Grant, whoAmI } from '../web-api/account.ts'
import { type CallsOptions, createCalls, refusalOf } from '../web-api/calls.ts'
import { checkScopes } from '../web-api/scopes.ts'
import { createWorkspaceTable } from './table.ts'
import { createWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts'

/** The installation that gets an event. */
export interface Source {
  /** Id of the workspace. */
  readonly team: string
  /** Id of the organization whose org-wide installation gets the event. */
  readonly org?: string
}

export interface Workspaces {
  /** Throws PLATFORM_START_FAILED with the remedy, if no token works. */
  start(signal: AbortSignal): Promise<void>
  /** The workspace that an event is for. Undefined: the bot does not serve it. Rejects when that cannot be known now. */
  find(source: Source): Promise<Workspace | undefined>
  /** The workspace of a conversation. Undefined: the bot does not serve it. Rejects when that cannot be known now. */
  in(conversation: Pick<Conversation, 'workspace'>): Promise<Workspace | undefined>
  /** The same. Throws PLATFORM_REFUSED if the bot does not serve it. */
  of(conversation: Pick<Conversation, 'workspace'>): Promise<Workspace>
  /** A workspace that was served before. */
  known(team: string): Workspace | undefined
  all(): readonly Workspace[]
  /** The bot's account in the first workspace. */
  me(): Person | undefined
  /** Which tokens of bot.config.ts Slack refuses. Those of installations do not count. */
  unready(): string | undefined
  /** The app was removed from a workspace or an organization. */
  removed(id: string, at: Date): Promise<void>
  /** The app was installed again: from now on with the new token. */
  replaced(id: string): void
  /** Reports events that are ignored, once for each workspace. */
  ignored(team: string): void
}

export interface WorkspacesOptions extends Pick<WorkspaceOptions, 'apiUrl' | 'answerCommand' | 'stopped'> {
  readonly ctx: WorkspaceOptions['ctx'] & Pick<PlatformContext, 'db' | 'random' | 'fail'>
  readonly botTokens: readonly string[]
  readonly clientOptions: () => CallsOptions['clientOptions']
  /** Absent: the app cannot be installed by OAuth. */
  readonly installed?: Pick<RotationOptions, 'clientId' | 'clientSecret'> & { readonly store: InstallationStore }
}

/** A grant that Slack takes, with its token. */
interface Entry {
  readonly grant: Grant
  readonly access: Access
  /** Time of the installation by OAuth. Absent: the token is from bot.config.ts. */
  readonly installedAt?: Date
  /** By id. An org-wide grant has several. */
  readonly workspaces: Map<string, Workspace>
}

/** Workspaces of an organization per request, and the maximum number of requests. */
const PAGE = 200
const PAGES = 20

/** Number of workspaces that are named in the log. */
const COMPLAINTS = 1_000

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { ctx, botTokens, installed, stopped, apiUrl, answerCommand } = options
  const { log, clock } = ctx
  const table = createWorkspaceTable(ctx.db)
  const entries = new Map<string, Entry>()
  /** What Slack refuses, by the id of the workspace or the organization. `installedAt`: of an installation by OAuth. */
  const refused = new Map<string, { readonly why: string; readonly installedAt?: Date | undefined }>()
  const complained = new Set<string>()
  let closing = stopped
  let isUp = false
  /** Until the start has ended, an unknown workspace may be one whose token is not looked at yet. */
  const up = Promise.withResolvers<void>()
  up.promise.catch(() => {})
  stopped.addEventListener('abort', () => up.reject(stopped.reason), { once: true })

  function refuse(entry: Entry, error: unknown): void {
    const { id, name } = entry.grant
    entries.delete(id)
    const { installedAt } = entry
    refused.set(id, { why: `Slack refuses the token of ${name} (${refusalOf(error)})`, installedAt })
    const what = `${name} is not served any more: Slack refuses its token (${refusalOf(error)}); install the app there again`
    // The operator can do nothing about the installations of others.
    if (installedAt) log.warn(what, { id })
    else log.error(what, { id })
  }

  /** Slack refuses a token. The bot goes on while it serves another workspace, or can be installed in one. */
  function lost(entry: Entry, error: KikimimiError): void {
    const { id } = entry.grant
    // During the start, the start itself fails.
    if (!isUp || entries.get(id) !== entry) return
    if (entries.size === 1 && !installed) ctx.fail(error)
    else refuse(entry, error)
  }

  function callsOf(entry: Entry, team?: string) {
    const clientOptions = { ...options.clientOptions(), ...(team !== undefined && { teamId: team }) }
    const { access } = entry
    return createCalls({
      ...{ access, clientOptions, clock, random: ctx.random },
      lost: error => lost(entry, error),
    })
  }

  /** Names of the workspaces of an organization, by their ids. */
  async function teamsOf(entry: Entry): Promise<ReadonlyMap<string, string>> {
    const { call } = callsOf(entry)
    const found = new Map<string, string>()
    let cursor: string | undefined
    for (let page = 0; page < PAGES && cursor !== ''; page++) {
      const asked = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const { teams = [], response_metadata } = await call('auth.teams.list', client => client.auth.teams.list(asked), {
        signal: closing,
      })
      for (const { id = '', name = '' } of teams) found.set(id, name)
      cursor = response_metadata?.next_cursor ?? ''
    }
    return found
  }

  async function workspaceIn(entry: Entry, team: string, name?: string): Promise<Workspace> {
    const known = entry.workspaces.get(team)
    if (known) return known
    const { grant } = entry
    const { hasPlainIds } = await table.served(team, grant.isOrg ? grant.id : undefined)
    const title = grant.isOrg ? (name ?? (await teamsOf(entry).catch(() => undefined))?.get(team) ?? '') : grant.name
    const workspace =
      entry.workspaces.get(team) ??
      createWorkspace({
        ...{ ctx, apiUrl, answerCommand, closing, stopped },
        account: accountIn(team, title, grant, hasPlainIds),
        calls: callsOf(entry, grant.isOrg ? team : undefined),
      })
    entry.workspaces.set(team, workspace)
    return workspace
  }

  function add(grant: Grant, access: Access, installedAt?: Date): Entry {
    const entry: Entry = { grant, access, workspaces: new Map(), ...(installedAt && { installedAt }) }
    entries.set(grant.id, entry)
    return entry
  }

  /** Reads an installation that this process does not know yet, or that was replaced after Slack refused its token. */
  async function load(id: string): Promise<Entry | undefined> {
    if (!installed || id === '') return undefined
    const installation = await installed.store.read(id)
    if (!installation) return undefined
    const { installedAt } = installation
    if (refused.get(id)?.installedAt?.getTime() === installedAt.getTime()) return undefined
    refused.delete(id)
    const known = entries.get(id)
    if (known) return known
    const { clientId, clientSecret, store } = installed
    const clientOptions = options.clientOptions()
    const rotation = { store, installation, clientId, clientSecret, clientOptions, clock, log, signal: stopped }
    return add(installation, createRotatingAccess(rotation), installedAt)
  }

  async function entryFor({ team, org }: Source): Promise<Entry | undefined> {
    const known = entries.get(team) ?? entries.get(org ?? '') ?? holding(team)
    return known ?? (await load(team)) ?? (await load(org ?? (await table.orgOf(team)) ?? ''))
  }

  /** The organization in which a workspace was served before. */
  const holding = (team: string) => [...entries.values()].find(({ workspaces }) => workspaces.has(team))

  async function startToken(token: string): Promise<void> {
    const calls = createCalls({
      ...{ access: fixedAccess(token), clientOptions: options.clientOptions(), clock, random: ctx.random },
      lost() {},
    })
    const grant = await whoAmI(calls, { apiUrl, signal: closing })
    const { id, name, scopes } = grant
    if (entries.has(id)) {
      throw new KikimimiError(
        'PLATFORM_START_FAILED',
        `[slack] Two bot tokens are of the same workspace, ${name} (${id}). Keep one of them in SLACK_BOT_TOKEN, or botToken in bot.config.ts.`,
      )
    }
    checkScopes(scopes, log)
    await startEntry(add(grant, fixedAccess(token)))
  }

  async function startEntry(entry: Entry): Promise<void> {
    const { id, name, isOrg } = entry.grant
    function unlisted(error: unknown): ReadonlyMap<string, string> {
      // Its token is refused.
      if (error instanceof KikimimiError && error.code === 'PLATFORM_START_FAILED') throw error
      log.warn(`cannot list the workspaces of ${name}; each is served from its first event on`, { error })
      return new Map()
    }
    const teams = isOrg ? await teamsOf(entry).catch(error => unlisted(error)) : new Map([[id, name]])
    for (const [team, name] of teams) await workspaceIn(entry, team, name)
  }

  /** One after the other, so that the first token is the first workspace. */
  async function startTokens(): Promise<void> {
    const failures: KikimimiError[] = []
    for (const [index, token] of botTokens.entries()) {
      try {
        await startToken(token)
      } catch (error) {
        // A refused token of one workspace does not stop the others.
        if (!(error instanceof KikimimiError) || refusalOf(error) === undefined) throw error
        failures.push(error)
        const what = `bot token ${index + 1} of ${botTokens.length}`
        refused.set(what, { why: `Slack refuses ${what} (${refusalOf(error)})` })
      }
    }
    const [failure] = failures
    if (failure && failures.length === botTokens.length) throw failure
    for (const error of failures) log.error(`a workspace is not served: ${error.message}`)
  }

  async function startInstalled(): Promise<void> {
    const all = (await installed?.store.ids()) ?? []
    const unreadable: KikimimiError[] = []
    for (const id of all) {
      try {
        const entry = entries.get(id) ?? (await load(id))
        if (entry) await startEntry(entry)
      } catch (error) {
        const entry = entries.get(id)
        if (refusalOf(error) === UNDECIPHERABLE && error instanceof KikimimiError) unreadable.push(error)
        else if (refusalOf(error) !== undefined && entry) refuse(entry, error)
        else throw error
      }
    }
    const [first] = unreadable
    // The key is wrong.
    if (first && unreadable.length === all.length) throw first
    for (const error of unreadable) withoutUndecipherable(error)
  }

  async function find(source: Source): Promise<Workspace | undefined> {
    await up.promise
    const team = source.team || (source.org ?? '')
    const entry = await entryFor({ ...source, team }).catch(withoutUndecipherable)
    return entry && workspaceIn(entry, team)
  }

  return {
    async start(signal) {
      closing = signal
      await startTokens()
      await startInstalled()
      isUp = true
      up.resolve()
    },

    find,

    in: ({ workspace: team }) => find({ team }),

    async of({ workspace: team }) {
      const found = await find({ team })
      if (found) return found
      throw new KikimimiError('PLATFORM_REFUSED', `The bot is not installed in the Slack workspace ${team}.`)
    },

    known: team => holding(team)?.workspaces.get(team),
    all: () => [...entries.values()].flatMap(({ workspaces }) => [...workspaces.values()]),
    me: () => [...entries.values()].flatMap(({ workspaces }) => [...workspaces.values()])[0]?.account.me,

    unready() {
      const configured = [...refused.values()].filter(({ installedAt }) => !installedAt)
      return configured.length === 0 ? undefined : configured.map(({ why }) => why).join('; ')
    },

    replaced(id) {
      if (entries.get(id)?.installedAt) entries.delete(id)
    },

    async removed(id, at) {
      const name = await installed?.store.remove(id, at)
      if (name === undefined) return
      if (entries.get(id)?.installedAt) entries.delete(id)
      log.info(`the app was removed from ${name} (${id})`)
    },

    ignored(team) {
      if (refused.has(team) || complained.size >= COMPLAINTS || complained.has(team)) return
      complained.add(team)
      log.warn(`events of the workspace ${team} are ignored: the bot has no token of it`)
    },
  }

  /** A broken row is like none. It is reported once, at the start or here. */
  function withoutUndecipherable(error: unknown): undefined {
    if (refusalOf(error) !== UNDECIPHERABLE || !(error instanceof Error)) throw error
    if (!complained.has(error.message)) log.error(error.message)
    complained.add(error.message)
    return undefined
  }
}
