/** Shared files: https://docs.slack.dev/reference/objects/file-object#authentication */
import type { Answer, Desk } from './server.ts'
import type { Workspace } from './workspace.ts'

export interface FilesOptions {
  readonly workspace: Workspace
  /** Scopes of the token; undefined if it is unknown. */
  readonly scopes: (token: string) => readonly string[] | undefined
}

/** A request without a token that may read files gets the login page. */
export function createFiles({ workspace, scopes }: FilesOptions): Desk {
  return {
    name: () => 'url_private',
    answer({ path, token }) {
      const id = /^[^/]*-(\w+)\//.exec(path)?.[1] ?? ''
      const file = workspace.files.get(id)
      if (!scopes(token)?.includes('files:read')) {
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
