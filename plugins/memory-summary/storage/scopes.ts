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
  /** See `kikimimi_v1.place_of`. */
  readonly place: string
  readonly visibility: Conversation['visibility']
}

/** `platform/workspace`, like the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/**
 * Messages in a channel go into its memory, messages in a thread into both. Public memories go into that of the
 * workspace. Messages in a thread with readers of its own go into the memory of the thread alone.
 *
 * @param told the place of what is said in the conversation, and its visibility
 */
export function placesOf(conversation: Conversation, told: Pick<Place, 'place' | 'visibility'>): Place[] {
  const { id, thread, name } = conversation
  const workspace = workspaceOf(conversation)
  const here = { workspace, channel: channelOf(conversation), name, ...told }
  const own: Place[] = thread === undefined ? [] : [{ ...here, id, kind: 'thread' }]
  if (thread !== undefined && told.place.replace(/\+$/, '') === id) return own

  const shared: Place = { ...here, id: here.channel, kind: 'channel' }
  const whole: Place = { ...here, id: workspace, kind: 'workspace', channel: '', name: '', place: `${workspace}/` }
  return [...(told.visibility === 'public' ? [whole] : []), shared, ...own]
}
