import { service } from 'kikimimi'

/**
 * The band of scores in which another decider is asked, without both bounds. Below it the bot is silent, above it the bot
 * speaks.
 */
export const Judge = service<{ readonly low: number; readonly high: number }>('judge', '@kikimimi/judge-llm')
