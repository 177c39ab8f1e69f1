/** The workspaces of the emulator, and which one a token is for. */
import type { Deliveries } from '../delivery.ts'
import { type Arguments, type Method, SlackRefusal } from '../methods.ts'
import type { SlackCall } from '../server.ts'
import type { Granted } from '../web-api.ts'
import { createWorkspace, type SlackOrg } from '../workspace.ts'
import type { Installable } from './oauth.ts'
import { createTeam, type Team } from './team.ts'
import type { Tokens } from './tokens.ts'

/** Another workspace of the emulator. */
export interface SlackTeamOptions {
  /** Default: the id in small letters. */
  readonly name?: string
  /** Account of the bot. Default: that of the first workspace. */
  readonly bot?: { readonly id: string; readonly name: string }
  /** The workspace belongs to this organization, in which the app is installed for all its workspaces. */
  readonly org?: SlackOrg
  /** Whether the app is installed already. Default true. */
  readonly installed?: boolean
}

export interface Teams {
  add(id: string, options: SlackTeamOptions): Team
  get(id: string): Team | undefined
  /** A workspace or an organization in which the app can be installed. */
  installable(id: string): Installable
  /** Throws a SlackRefusal if the token may not call the method. */
  granted(token: string, method: string, args: Arguments): Granted | undefined
  /** Whether the token may read the files of a workspace. */
  mayRead(token: string, id: string): boolean
}

export interface TeamsOptions {
  /** Address of the emulator. */
  readonly origin: string
  readonly bot: { readonly id: string; readonly name: string }
  readonly scopes: readonly string[]
  readonly tokens: Tokens
  readonly deliveries: Deliveries
  readonly calls: readonly SlackCall[]
  readonly keepsMetadata: boolean
  readonly mostMessages: number
}

/** Id of the installation of the app that serves a workspace. */
const ownerOf = ({ workspace: { team, org } }: Team) => org?.id ?? team

export function createTeams({ origin, bot: given, scopes: granted, tokens, deliveries, ...shared }: TeamsOptions): Teams {
  const teams = new Map<string, Team>()
  const inOrg = (org: string) => Array.from(teams.values()).filter(team => ownerOf(team) === org)

  /** An org-wide token needs to know in which workspace it is, from the channel or from `team_id`. */
  function methodInOrg(org: string, method: string, args: Arguments): Method | undefined {
    const all = inOrg(org)
    const [any] = all
    const { channel, channel_id = channel, team_id } = args
    const inChannel = all.find(({ workspace }) => channel_id !== undefined && workspace.channels.has(channel_id))
    const found = inChannel ?? all.find(({ slack }) => slack.id === team_id)
    if (!any || (method === 'users.conversations' && !found)) throw new SlackRefusal('missing_argument')
    if (method === 'auth.teams.list') {
      return () => ({ ok: true, teams: all.map(({ workspace: { team: id, name } }) => ({ id, name })) })
    }
    if (method !== 'auth.test') return (found ?? any).methods[method]
    const { org: { name } = { name: '' }, bot } = any.workspace
    const told = { url: `${origin}/`, team: name, team_id: org, enterprise_id: org, is_enterprise_install: true }
    return () => ({ ok: true, ...told, user_id: bot.id, user: bot.name, bot_id: bot.botId })
  }

  return {
    add(id, { name = id.toLowerCase(), bot = given, org, installed = true }) {
      const workspace = createWorkspace({ team: id, name, bot, org, origin })
      const owner = org?.id ?? id
      const access = { latest: () => tokens.latest(owner) ?? '', refuse: () => tokens.refuse(owner, 'account_inactive') }
      const team = createTeam({ ...shared, workspace, delivery: deliveries.of(workspace), tokens: access })
      teams.set(id, team)
      if (installed && tokens.latest(owner) === undefined) tokens.issue(owner, granted)
      return team
    },

    get: id => teams.get(id),

    installable(id) {
      const [team] = inOrg(id)
      if (!team) throw new Error(`There is no workspace or organization ${id}.`)
      const { org, name, bot } = team.workspace
      return { ...(org ? { org } : { team: { id, name } }), botUser: bot.id }
    },

    granted(token, method, args) {
      const { owner, scopes } = tokens.check(token)
      const team = teams.get(owner)
      const run = team ? team.methods[method] : methodInOrg(owner, method, args)
      return run && { run, scopes }
    },

    mayRead(token, id) {
      const team = teams.get(id)
      try {
        const { owner, scopes } = tokens.check(token)
        return team !== undefined && owner === ownerOf(team) && scopes.includes('files:read')
      } catch {
        return false
      }
    },
  }
}
