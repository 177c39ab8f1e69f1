/** The commands of the chat. */
import type { Conversation } from 'kikimimi'
import type { ChatCommands } from 'kikimimi/platform'
import { progress } from '../../base/measure.ts'

/** Texts after `/kiki` by the command. A command that is missing here fails the measurement. */
const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  help: () => 'help',
  status: () => 'status',
  why: () => 'why',
  access: () => 'access',
  'explain-this': () => 'explain-this',
  explain: () => 'explain "kiki, when is lunch?"',
  summary: () => 'summary',
  remember: n => `remember that the door code of house ${n} is blue`,
  'remember-this': () => 'remember-this',
  'what-do-you-know-about-me': () => 'what-do-you-know-about-me',
  'opt-in': () => 'opt-in',
  quiet: () => 'quiet 1h',
  talk: () => 'talk',
  chattiness: () => 'chattiness',
  attention: () => 'attention',
  settings: () => 'settings',
  stop: () => 'stop',
  start: () => 'start',
  again: () => 'again',
  shorter: () => 'shorter',
  delete: () => 'delete',
  helpful: () => 'helpful',
  unhelpful: () => 'unhelpful',
}

/** Commands that begin an erasure, which is measured itself. */
const LEFT_OUT = ['forget-me', 'opt-out']

/**
 * The time of each command, in milliseconds; the first call, which also loads code, comes first.
 *
 * @param person who gives the commands
 * @param message the one that commands for a message are given for
 */
export async function timedCommands(
  commands: ChatCommands,
  conversation: Conversation,
  { person, message }: { readonly person: string; readonly message: string },
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>()
  for (const { name } of commands.all) {
    if (LEFT_OUT.includes(name)) continue
    const text = TEXTS[name]
    if (!text) throw new Error(`The command ${name} is not measured. Add it to bench/speed/storage/commands.ts.`)
    progress(`/kiki ${text(0)}`)
    const taken: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now()
      const given = {
        conversation,
        person: { id: person, name: person },
        text: text(round),
        moderator: () => true,
        admin: () => true,
      }
      const answer = await commands.run(name.endsWith('-this') ? { ...given, message } : given)
      taken.push(performance.now() - start)
      if (!answer) throw new Error(`/kiki ${given.text} was not answered.`)
    }
    times.set(name, taken)
  }
  return times
}
