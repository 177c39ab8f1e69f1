/**
 * Slash commands and their response URLs: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
import type { Delivery } from './delivery.ts'
import type { Desk } from './server.ts'
import type { SlackChannel, SlackUser, Workspace } from './workspace.ts'

export interface Commands extends Desk {
  /** Resolves when the app has acknowledged, or after the time limit. */
  run(user: SlackUser, channel: SlackChannel, command: string, text: string): Promise<void>
}

/** An acknowledgement or an answer of an app. */
interface Said {
  readonly text?: string
  readonly response_type?: string
}

/** Number of answers at a response URL, and its lifetime. */
const USES = 5
const OPEN_MS = 30 * 60_000

export function createCommands(workspace: Workspace, delivery: Delivery): Commands {
  const { bot, origin, nextTs, team } = workspace
  const open = new Map<string, { readonly user: SlackUser; readonly channel: SlackChannel; readonly at: number; uses: number }>()

  function show({ text, response_type }: Said, user: SlackUser, channel: SlackChannel): void {
    if (!text) return
    const onlyFor = response_type === 'in_channel' ? {} : { onlyFor: user.name }
    channel.notes.push({ ts: nextTs(), author: bot.name, text, ...onlyFor })
  }

  return {
    async run(user, channel, command, text) {
      const id = `${team}-${open.size + 1}`
      open.set(id, { user, channel, at: Date.now(), uses: 0 })
      // The command is public if the app says so. Until then only its author sees it.
      const ts = nextTs()
      const answer = await delivery.command({
        command,
        text,
        user_id: user.id,
        user_name: user.name,
        channel_id: channel.id,
        channel_name: channel.kind === 'direct' ? 'directmessage' : channel.name,
        response_url: `${origin}/commands/${id}`,
      })
      if (answer === undefined) {
        const failed = `${command} failed with the error "operation_timeout"`
        channel.notes.push({ ts, author: 'slackbot', text: failed, onlyFor: user.name })
        return
      }
      const said = saidIn(answer)
      const onlyFor = said.response_type === 'in_channel' ? {} : { onlyFor: user.name }
      channel.notes.push({ ts, author: user.name, text: `${command} ${text}`, ...onlyFor })
      show(said, user, channel)
    },

    name: () => 'response_url',
    answer({ path, body }) {
      const found = open.get(path)
      if (!found || found.uses >= USES || Date.now() - found.at > OPEN_MS) return { status: 404, body: 'used_url' }
      found.uses++
      show(saidIn(body), found.user, found.channel)
      return { status: 200, body: 'ok' }
    },
  }
}

function saidIn(answer: string): Said {
  return answer === '' ? {} : JSON.parse(answer)
}
