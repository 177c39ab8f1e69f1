import { service } from 'kikimimi'
import type { Band } from './probability.ts'

/**
 * The scores for which another decider is asked: above `low`, and from `high` on unless the probability of an answer is 90 % or more.
 * Up to `low` the bot is silent. The rest it answers.
 */
export const Judge = service<Band>('judge', '@kikimimi/judge-llm')
