import type { Message } from 'kikimimi'

/** So many messages below a question, people do not see it any more. */
const SCROLLED_AWAY = 5

/** Whether the reply must quote its trigger: another person has written since, or it has scrolled away. */
export function quotes(trigger: Message, history: readonly Message[]): boolean {
  const at = history.findIndex(({ id }) => id === trigger.id)
  const since = history.slice(at + 1)
  return since.length >= SCROLLED_AWAY || since.some(({ own, author }) => !own && author.id !== trigger.author.id)
}
