/** The plugin that keeps the rules of `access`: refused calls are silent, and people who have used up their share too. */
import {
  Access,
  type Decision,
  definePlugin,
  type PersonKey,
  type Plugin,
  type Reply,
  type Tool,
  type Turn,
} from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import type { Caller, Overdrawn } from '../../models/budget.ts'
import type { BotAccess } from './access.ts'
import { accessCommand } from './command.ts'
import { definition } from './rules.ts'

export interface AccessFeatureOptions {
  readonly access: BotAccess
  /** Counts a call of a person, or says why it is refused. */
  admit(caller: Caller | undefined): Awaitable<Overdrawn | undefined>
  /** All tools of the bot. */
  tools(): readonly Tool[]
  /** Deletes what is counted of a person. */
  forget(person: PersonKey): Promise<void>
}

/** What a person sees, at most once in an hour, who has used up what one person may use. */
export const OVER_QUOTA: Reply = { kind: 'reaction', emoji: '⏳' }

export function accessFeature({ access, admit, tools, forget }: AccessFeatureOptions): Plugin {
  return definePlugin({
    ...definition,
    provides: [Access],
    setup(ctx) {
      const { refusesOrders, refusesTool, isAmong } = access
      ctx.provide(Access, { refusesOrders, refusesTool, isAmong })
      /** Turns that get the reaction, until they end. */
      const told = new Set<string>()
      function refusing(turn: string, over: Overdrawn | undefined): Decision | undefined {
        if (over?.tell) told.add(turn)
        return over && { kind: over.tell ? 'react' : 'silent', why: over.why }
      }
      return {
        decide({ id, conversation, messages, message, addressed }: Turn): Awaitable<Decision | undefined> {
          if (addressed) {
            const over = admit(access.callerIn(conversation, message.author))
            return over && isPromise(over) ? over.then(late => refusing(id, late)) : refusing(id, over)
          }
          // A refused call is talk that the bot does not join.
          const refused = messages.findLast(one => one.refused !== undefined)
          return refused && { kind: 'silent', why: refused.refused ?? '', message: refused.id }
        },
        respond: ({ id }) => (told.has(id) ? OVER_QUOTA : undefined),
        after: ({ id }) => void told.delete(id),
        commands: [accessCommand(access, tools)],
        forget,
      }
    },
  })()
}
