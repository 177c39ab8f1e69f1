/** Where settings of the chat apply: a whole workspace, or one channel with its threads. */
import { type Conversation, channelOf } from '../../api/index.ts'

/** `platform/workspace`, the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}

/** The widest place whose settings a person in the conversation may change. A direct conversation is a place of its own. */
export function widestPlace(conversation: Conversation): string {
  const { visibility, workspace } = conversation
  return visibility === 'direct' || workspace === '' ? channelOf(conversation) : workspaceOf(conversation)
}

/** The places whose settings apply in a conversation, from wide to narrow. */
export function settingPlaces(conversation: Conversation): readonly string[] {
  return [...new Set([widestPlace(conversation), channelOf(conversation)])]
}

export function isWorkspace(place: string): boolean {
  return place.split('/').length === 2
}
