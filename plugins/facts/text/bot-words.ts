/** Words for bots in English that mean no bot here: somebody else's bot, the post of a person, a subject that people study. Patterns. */

/** "Their chatbot". */
export const OF_OTHERS = '(?<!\\b(?:their|his|her) )'

/** "Bot development", "the AI course". */
export const NO_SUBJECT =
  '(?! (?:development|programming|research|testing|conferences?|frameworks?|courses?|class(?:es)?|workshops?|club|lab|book|meetup)\\b)'

/** "The assistant manager". */
export const NO_POST = '(?! (?:manager|coach|professor|director|editor|teacher|cook|nurse|referee|principal|conductor)s?\\b)'
