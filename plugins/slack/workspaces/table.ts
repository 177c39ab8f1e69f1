/**
 * What stays known of the workspaces that the bot has served: the ids of their people, and their organization.
 *
 * Slack's ids of people are unique in one workspace only: https://docs.slack.dev/reference/objects/user-object. So an id is
 * `TEAM/USER`. In the first workspace that the bot has served it is `USER`, as in a bot of one workspace: adding workspaces keeps
 * what the bot knows of people.
 */
import type { Database } from 'kikimimi'

export interface WorkspaceTable {
  /** Stores that a workspace is served, by the installation of `org`. Returns whether its people have Slack's own ids. */
  served(team: string, org: string | undefined): Promise<{ readonly hasPlainIds: boolean }>
  /** The organization whose installation served the workspace last. */
  orgOf(team: string): Promise<string | undefined>
}

export function createWorkspaceTable(db: Database): WorkspaceTable {
  const known = new Map<string, { readonly hasPlainIds: boolean }>()

  /** At most one workspace has plain ids: the index refuses a second one. */
  async function store(team: string, org: string | undefined): Promise<boolean> {
    await db.query(
      `insert into slack.workspace (team, org, plain_ids)
       select $1, $2, not exists (select 1 from slack.workspace where plain_ids)
         and not exists (select 1 from kikimimi_v1.conversation where platform = 'slack' and workspace <> $1)
       on conflict do nothing`,
      [team, org ?? null],
    )
    const { rows } = await db.query<{ plain_ids: boolean }>(
      `insert into slack.workspace (team, org, plain_ids) values ($1, $2, false)
       on conflict (team) do update set org = $2 returning plain_ids`,
      [team, org ?? null],
    )
    return rows[0]?.plain_ids === true
  }

  return {
    async served(team, org) {
      const found = known.get(team) ?? { hasPlainIds: db.kind === 'none' ? known.size === 0 : await store(team, org) }
      known.set(team, found)
      return found
    },

    async orgOf(team) {
      if (db.kind === 'none') return undefined
      const { rows } = await db.query<{ org: string | null }>('select org from slack.workspace where team = $1', [team])
      return rows[0]?.org ?? undefined
    },
  }
}
