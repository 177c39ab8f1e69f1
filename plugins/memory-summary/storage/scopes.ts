/** Which memories a conversation belongs to. */
import { type Conversation, channelOf } from 'kikimimi'

export type Kind = 'workspace' | 'channel' | 'thread'

/** A memory, as far as it is known before anything is remembered. */
export interface Place {
  readonly id: string
  readonly kind: Kind
  readonly workspace: string
  readonly channel: string
  readonly name: string
  readonly visibility: Conversation['visibility']
}

/** `platform/workspace`, as conversation ids begin. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/**
 * What is said in a channel goes into its memory, what is said in a thread into both, and what is public comes to the
 * workspace's. But nothing goes from a private thread into a channel that others read.
 *
 * @param channel the visibility of the channel, where it is known
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
