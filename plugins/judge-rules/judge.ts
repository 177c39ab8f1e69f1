import { service } from 'kikimimi'

/** The band of scores, both ends left out, in which another decider is asked: below it is silence, above it speaks. */
export const Judge = service<{ readonly low: number; readonly high: number }>('judge', '@kikimimi/judge-llm')
