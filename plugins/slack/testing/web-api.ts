/** The Web API methods that a bot calls, on a workspace in memory. */
import type {
  AuthTestResponse,
  FilesCompleteUploadExternalResponse,
  FilesGetUploadURLExternalResponse,
  FilesInfoResponse,
  UsergroupsListResponse,
  UsersInfoResponse,
  UsersListResponse,
} from '@slack/web-api'
import { type ChatOptions, createChat } from './chat.ts'
import { createConversations } from './conversations.ts'
import { type Arguments, joinedChannelOf, type Method, type Methods, SlackRefusal } from './methods.ts'
import { fileObject, userObject } from './objects.ts'
import { type Desk, json } from './server.ts'
import type { Workspace } from './workspace.ts'

export interface TeamMethodsOptions extends ChatOptions {
  /** Messages per call of a method that reads history. */
  readonly mostMessages: number
}

/** The methods in one workspace. */
export function createMethods({ mostMessages, ...options }: TeamMethodsOptions): Methods {
  const { workspace } = options
  return { ...createChat(options), ...createConversations(workspace, mostMessages), ...createOthers(workspace) }
}

/** A method with the scopes of the token that calls it. */
export interface Granted {
  readonly run: Method
  readonly scopes: readonly string[]
}

/** @param find throws a SlackRefusal if the token may not call the method; undefined: there is no such method */
export function createWebApi(find: (token: string, method: string, args: Arguments) => Granted | undefined): Desk {
  return {
    name: path => path,

    answer({ path: method, body, token: shown }) {
      const { token = shown, ...args } = Object.fromEntries(new URLSearchParams(body))
      let headers = {}
      try {
        const granted = find(token, method, args)
        if (!granted) throw new SlackRefusal('unknown_method')
        headers = { 'x-oauth-scopes': granted.scopes.join(',') }
        return json(granted.run(args, granted.scopes), headers)
      } catch (error) {
        if (error instanceof SlackRefusal) return json({ ok: false, error: error.message }, headers)
        throw error
      }
    },
  }
}

function createOthers(workspace: Workspace): Methods {
  const { bot, team, name, origin } = workspace
  const uploads = new Map<string, string>()

  return {
    'auth.test': (): AuthTestResponse => ({
      ok: true,
      url: `${origin}/`,
      team: name,
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

    'usergroups.list'({ include_users }, scopes): UsergroupsListResponse {
      if (!scopes.includes('usergroups:read')) throw new SlackRefusal('missing_scope')
      const usergroups = workspace.groups.map(({ id, handle, name, users }) => ({
        ...{ id, team_id: team, is_usergroup: true, name, handle, date_delete: 0, user_count: users.length },
        ...(include_users === 'true' && { users: [...users] }),
      }))
      return { ok: true, usergroups }
    },

    'files.getUploadURLExternal'({ filename = 'file' }): FilesGetUploadURLExternalResponse {
      const id = `F${uploads.size + 1}`
      uploads.set(id, filename)
      return { ok: true, upload_url: `${origin}/upload/${id}`, file_id: id }
    },

    'files.info'({ file: id = '' }, scopes): FilesInfoResponse {
      if (!scopes.includes('files:read')) throw new SlackRefusal('missing_scope')
      const file = workspace.files.get(id)
      const channel = Array.from(workspace.channels.values()).find(({ messages }) =>
        messages.some(({ files = [] }) => files.some(one => one.id === id)),
      )
      const message = channel?.messages.find(({ files = [] }) => files.some(one => one.id === id))
      if (!file || !channel || !message) throw new SlackRefusal('file_not_found')
      return { ok: true, file: fileObject(file, { channel, user: message.user, team }), comments: [] }
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
