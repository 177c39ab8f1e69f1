/** Which memories a conversation belongs to. */
import type { Conversation } from 'kikimimi'

export type Kind = 'workspace' | 'channel' | 'thread'

/** `platform/workspace`, like the beginning of conversation ids. */
export function workspaceOf({ platform, workspace }: Pick<Conversation, 'platform' | 'workspace'>): string {
  return `${encodeURIComponent(platform)}/${encodeURIComponent(workspace)}`
}
