/** How the bot gets into a workspace, or into all workspaces of an organization. */

export interface Access {
  /** The token now. Rejects when it has expired and cannot be refreshed now. */
  token(): Promise<string>
  /** A newer token than the one that Slack has refused. Undefined: there is none. */
  renewed(refused: string): Promise<string | undefined>
}

/** A token of bot.config.ts, which does not change. */
export function fixedAccess(token: string): Access {
  return { token: async () => token, renewed: async () => undefined }
}
