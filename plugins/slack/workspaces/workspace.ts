/** One workspace that the bot serves: its account, its calls, and what is remembered of it. */
import { createInOrder, type InOrder, type Platform, type PlatformContext } from 'kikimimi/platform'
import { type Channels, createChannels } from '../directory/channels.ts'
import { createMembers, type Members } from '../directory/members.ts'
import { createNames, type Names } from '../directory/names.ts'
import { emojiName } from '../messages/emoji.ts'
import { createFetchFile } from '../messages/files.ts'
import { createHistory } from '../messages/history.ts'
import { createIncoming, type Incoming } from '../messages/incoming.ts'
import { createLink } from '../messages/link.ts'
import { type AnswerCommand, createPost } from '../messages/post.ts'
import { createThinking, type Thinking } from '../messages/thinking.ts'
import { type Account, userOf } from '../web-api/account.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'

export interface Workspace {
  readonly account: Account
  readonly calls: Calls
  readonly names: Names
  readonly members: Members
  readonly incoming: Incoming
  readonly thinking: Thinking
  readonly channels: Channels
  /** Handles the events of each channel one after the other. */
  readonly inOrder: InOrder
  /** The methods of the platform in this workspace. */
  readonly platform: Required<
    Pick<
      Platform,
      | 'send'
      | 'find'
      | 'edit'
      | 'delete'
      | 'react'
      | 'typing'
      | 'fetchAttachment'
      | 'history'
      | 'message'
      | 'pins'
      | 'link'
      | 'channels'
      | 'direct'
    >
  >
  /** Tells the bot what a channel is called and about now. */
  describe(channel: string): Promise<void>
}

export interface WorkspaceOptions {
  readonly ctx: Pick<PlatformContext, 'bot' | 'clock' | 'log' | 'history' | 'describe'>
  readonly apiUrl: string
  readonly account: Account
  readonly calls: Calls
  readonly answerCommand: AnswerCommand
  /** Aborted when the bot receives no more messages. */
  readonly closing: AbortSignal
  /** Aborted when the bot has stopped. */
  readonly stopped: AbortSignal
}

export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { ctx, apiUrl, account, calls, answerCommand, closing, stopped } = options
  const { clock } = ctx
  const names = createNames({ clock, calls, account, signal: stopped })
  const members = createMembers({ clock, log: ctx.log, calls, account })
  const thinking = createThinking({ ctx, calls, signal: stopped })
  const file = async (id: string) => {
    const found = await calls.call('files.info', client => client.files.info({ file: id }), { signal: stopped, tries: 2 })
    return { ...found.file }
  }
  const incoming = createIncoming({ names, account, file })
  const channels = createChannels({ clock, calls, names, account })
  const post = createPost({ calls, clock, commands: { answer: answerCommand }, self: () => account })
  const { history, message, pins } = createHistory({ clock, calls, incoming, closing })

  return {
    account,
    calls,
    names,
    members,
    incoming,
    thinking,
    channels,
    inOrder: createInOrder(),
    describe: async channel => ctx.describe(await incoming.conversation({}, channel)),

    platform: {
      ...post,

      async react({ channel }, message, emoji, signal) {
        const target = { channel, timestamp: message, name: emojiName(emoji) }
        try {
          await calls.call('reactions.add', client => client.reactions.add(target), { signal })
        } catch (error) {
          // An earlier attempt without a response did it.
          if (refusalOf(error) !== 'already_reacted') throw error
        }
      },

      typing: (conversation, signal) => thinking.begin(conversation, signal),
      fetchAttachment: createFetchFile({ token: calls.token, apiUrl }),
      history,
      message,
      pins,
      link: createLink(calls),
      channels: channels.list,

      async direct(_team, { id, name }, signal) {
        const opened = await calls.call('conversations.open', client => client.conversations.open({ users: userOf(id) }), {
          signal,
        })
        const channel = opened.channel?.id ?? ''
        return { platform: 'slack', workspace: account.team, channel, name, visibility: 'direct' }
      },
    },
  }
}
