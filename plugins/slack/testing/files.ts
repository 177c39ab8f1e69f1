/** Shared files: https://docs.slack.dev/reference/objects/file-object#authentication */
import type { Answer, Desk } from './server.ts'
import type { Workspace } from './workspace.ts'

export interface FilesOptions {
  /** A workspace by its id. */
  readonly find: (team: string) => Workspace | undefined
  /** Whether the token may read the files of a workspace. */
  readonly mayRead: (token: string, team: string) => boolean
}

/** A request without a token that may read files gets the login page. */
export function createFiles({ find, mayRead }: FilesOptions): Desk {
  return {
    name: () => 'url_private',
    answer({ path, token }) {
      const [, team = '', id = ''] = /^(\w+)-(\w+)\//.exec(path) ?? []
      const workspace = find(team)
      const file = workspace?.files.get(id)
      if (workspace && !mayRead(token, team)) {
        return { status: 302, headers: { location: `${workspace.origin}/login?redir=${encodeURIComponent(path)}` } }
      }
      if (!file?.content) return { status: 404 }
      return { status: 200, headers: { 'content-type': file.mimetype }, body: file.content }
    },
  }
}

export const loginPage: Desk = {
  name: () => 'login',
  answer: (): Answer => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!DOCTYPE html><title>Login | Slack</title>',
  }),
}
