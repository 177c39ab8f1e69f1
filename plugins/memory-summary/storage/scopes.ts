/** Which memories a conversation belongs to. */
import { type Conversation, channelOf } from 'kikimimi'

export type Kind = 'workspace' | 'channel' | 'thread'

/** A memory as far as it is known before it exists. */
export interface Place {
  readonly id: string
  readonly kind: Kind
  readonly workspace: string
  readonly channel: string
  readonly name: string
  readonly visibility: Conversation['visibility']
}

/** `platform/workspace`, like the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/**
 * Messages in a channel go into its memory, messages in a thread into both. Public memories go into that of the
 * workspace. Messages in a private thread do not go into a channel that more people read.
 *
 * @param channel the visibility of the channel, if known
 */
export function placesOf(conversation: Conversation, channel?: Conversation['visibility']): Place[] {
  const { id, thread, name, visibility } = conversation
  const workspace = workspaceOf(conversation)
  const here = { workspace, channel: channelOf(conversation), name }
  const own: Place[] = thread === undefined ? [] : [{ ...here, id, kind: 'thread', visibility }]
  if (thread !== undefined && visibility === 'private' && (channel ?? 'public') === 'public') return own

  const shared: Place = { ...here, id: here.channel, kind: 'channel', visibility: channel ?? visibility }
  const whole: Place = { id: workspace, kind: 'workspace', workspace, channel: '', name: '', visibility: 'public' }
  return [...(shared.visibility === 'public' ? [whole] : []), shared, ...own]
}
