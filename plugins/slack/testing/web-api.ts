/** The Web API methods that a bot calls, on a workspace in memory. */
import type {
  AuthTestResponse,
  FilesCompleteUploadExternalResponse,
  FilesGetUploadURLExternalResponse,
  UsersInfoResponse,
  UsersListResponse,
} from '@slack/web-api'
import { type ChatOptions, createChat } from './chat.ts'
import { createConversations } from './conversations.ts'
import { joinedChannelOf, type Methods, SlackRefusal } from './methods.ts'
import { userObject } from './objects.ts'
import { type Desk, json } from './server.ts'
import type { Workspace } from './workspace.ts'

export interface WebApiOptions extends ChatOptions {
  /** Messages per call of a method that reads history. */
  readonly mostMessages: number
  /** Address of the app's socket. */
  readonly socketUrl: string
  /** Scopes of the token; undefined if it is unknown. */
  readonly scopes: (token: string, method: string) => readonly string[] | undefined
}

export function createWebApi({ scopes, socketUrl, mostMessages, ...options }: WebApiOptions): Desk {
  const { workspace } = options
  const methods: Methods = {
    ...createChat(options),
    ...createConversations(workspace, mostMessages),
    ...createOthers(workspace),
    'apps.connections.open': () => ({ ok: true, url: socketUrl }),
  }

  return {
    name: path => path,

    answer({ path: method, body, token: shown }) {
      const { token = shown, ...args } = Object.fromEntries(new URLSearchParams(body))
      const run = methods[method]
      if (!run) return json({ ok: false, error: 'unknown_method' })
      const granted = scopes(token, method)
      if (!granted) return json({ ok: false, error: token === '' ? 'not_authed' : 'invalid_auth' })
      const headers = { 'x-oauth-scopes': granted.join(',') }
      try {
        return json(run(args, granted), headers)
      } catch (error) {
        if (error instanceof SlackRefusal) return json({ ok: false, error: error.message }, headers)
        throw error
      }
    },
  }
}

function createOthers(workspace: Workspace): Methods {
  const { bot, team, origin } = workspace
  const uploads = new Map<string, string>()

  return {
    'auth.test': (): AuthTestResponse => ({
      ok: true,
      url: `${origin}/`,
      team: 'kikimimi',
      team_id: team,
      user: bot.name,
      user_id: bot.id,
      bot_id: bot.botId,
    }),

    'users.info'({ user = '' }): UsersInfoResponse {
      const found = workspace.users.get(user)
      if (!found) throw new SlackRefusal('user_not_found')
      return { ok: true, user: userObject(found, team) }
    },

    'users.list': (): UsersListResponse => ({
      ok: true,
      members: Array.from(workspace.users.values(), user => userObject(user, team)),
    }),

    'files.getUploadURLExternal'({ filename = 'file' }): FilesGetUploadURLExternalResponse {
      const id = `F${uploads.size + 1}`
      uploads.set(id, filename)
      return { ok: true, upload_url: `${origin}/upload/${id}`, file_id: id }
    },

    'files.completeUploadExternal'({ files = '[]', channel_id }): FilesCompleteUploadExternalResponse {
      const asked: { id: string; title?: string }[] = JSON.parse(files)
      if (channel_id !== undefined) {
        workspace.post(joinedChannelOf(workspace, { channel_id }), {
          user: bot.id,
          bot_id: bot.botId,
          text: '',
          files: asked.map(({ id, title }) => ({ name: title ?? uploads.get(id) ?? id, mimetype: 'application/octet-stream' })),
        })
      }
      return { ok: true, files: asked }
    },
  }
}
