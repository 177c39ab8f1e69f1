/** Records the decisions of the bot, and what people do after them. No text is stored. */
import { channelOf, type ForgottenPerson, type PluginContext, type Trace, type Turn } from 'kikimimi'
import { hashOf, oddsOf, SHARED } from '../model.ts'
import type { Options } from '../options.ts'
import { signsOf } from '../signs.ts'
import { countVotes } from './count-votes.ts'

/** The probability from which a silence is near the threshold. */
const NEAR = 0.2

export function createOutcomes(ctx: PluginContext<Options>) {
  const { db, clock } = ctx
  const counting = countVotes(ctx, 'attention')

  return {
    async record(turn: Turn, trace: Trace): Promise<void> {
      const { learn, weights = SHARED } = ctx.optionsFor(turn.conversation)
      const { decision, outcome, trigger, sent, addressed } = trace
      const message = turn.messages.find(({ id }) => id === trigger)
      const isSilent = decision?.kind === 'silent' && outcome === 'silent'
      const speaks = (decision?.kind === 'full' || decision?.kind === 'ack') && sent.length > 0
      if (learn === 'off' || !message || (!isSilent && !speaks)) return
      const signs = signsOf(turn, message)
      const probability = 1 / (1 + Math.exp(-oddsOf(signs, weights)))
      if (isSilent && probability < NEAR) return
      const chat = trace.models.filter(({ role }) => role === 'chat').map(({ model }) => model)
      const prompt = hashOf([turn.persona.name, turn.persona.prompt, [...new Set(chat)].sort()])
      const now = new Date(clock.now())
      const { rowCount } = await db.query(
        `insert into attention.outcome
           (turn, conversation, channel, message, author, at, spoke, addressed, sent, signs, probability, weights, prompt)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, $11, $12, $13
         where kikimimi_v1.lock_message($3, $4, $14) on conflict do nothing`,
        [
          ...[turn.id, turn.conversation.id, channelOf(turn.conversation), message.id, message.author.id, now],
          ...[speaks, addressed !== undefined, sent, JSON.stringify(signs), probability, hashOf(weights), prompt, message.at],
        ],
      )
      if (rowCount > 0) await counting.recorded(now)
    },

    forget: (person: ForgottenPerson) => counting.forget(person, person.before),
  }
}
