import type { Message } from 'kikimimi'

/** Whether the reply must quote its trigger, because another person has written since. */
export function quotes(trigger: Message, history: readonly Message[]): boolean {
  const at = history.findIndex(({ id }) => id === trigger.id)
  return history.slice(at + 1).some(({ own, author }) => !own && author.id !== trigger.author.id)
}
