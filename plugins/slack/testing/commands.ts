/** Slash commands, and where an app may answer one: https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
import type { Delivery } from './delivery.ts'
import type { Desk } from './server.ts'
import type { SlackChannel, SlackUser, Workspace } from './workspace.ts'

export interface Commands extends Desk {
  /** Resolves once the app has acknowledged it, or has not in time. */
  run(user: SlackUser, channel: SlackChannel, command: string, text: string): Promise<void>
}

/** What an app says of a command, or answers to it. */
interface Said {
  readonly text?: string
  readonly response_type?: string
}

/** A command may be answered so often at its address, and so long. */
const USES = 5
const OPEN_MS = 30 * 60_000

export function createCommands(workspace: Workspace, delivery: Delivery): Commands {
  const { bot, origin, nextTs } = workspace
  const open = new Map<string, { readonly user: SlackUser; readonly channel: SlackChannel; readonly at: number; uses: number }>()

  function show({ text, response_type }: Said, user: SlackUser, channel: SlackChannel): void {
    if (!text) return
    const onlyFor = response_type === 'in_channel' ? {} : { onlyFor: user.name }
    channel.notes.push({ ts: nextTs(), author: bot.name, text, ...onlyFor })
  }

  return {
    async run(user, channel, command, text) {
      const id = `C${open.size + 1}`
      open.set(id, { user, channel, at: Date.now(), uses: 0 })
      // Its own words stand there for all when the app says so; until then only who typed them sees them.
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
