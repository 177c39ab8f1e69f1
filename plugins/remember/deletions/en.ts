/**
 * Orders to delete, in English: who is told, what is done to what, and what shows that the memory is meant. "Delete the file" means
 * something else; "delete my pin from your memory", "erase what I said about my pin" and "I'd rather you forgot my pin" do not.
 */

const FORGET = /^(?:forg[eo]t(?:ting|ten)?|unlearn(?:ed|ing)?|un-?remember(?:ed|ing)?|let(?:ting)? go of)$/iu
const DELETE =
  'forget|unlearn|un-?remember|let go of|delete|remove|erase|wipe|purge|scrub|strip|lose|drop|clear|discard|strike|scrap|get rid of|throw(?: out| away)?|take(?: out)?|get|cut|leave'
const DELETES =
  'forg[eo]t(?:ting|ten)?|unlearn(?:ed|ing)?|un-?remember(?:ed|ing)?|let(?:ting)? go of|' +
  'delet(?:e|ed|ing)|remov(?:e|ed|ing)|eras(?:e|ed|ing)|wip(?:e|ed|ing)|purg(?:e|ed|ing)|scrub(?:bed|bing)?|strip(?:ped|ping)?|los(?:e|ing)|lost|drop(?:ped|ping)?|clear(?:ed|ing)?|' +
  'discard(?:ed|ing)?|strik(?:e|ing)|struck|scrap(?:ped|ping)?|g[eo]t(?:ting|ten)? rid of|throw(?:n|ing)?(?: out| away)?|tak(?:e|en|ing)(?: out)?|' +
  'get|cut|gone|leav(?:e|ing)|left'

const POLITE =
  "(?:(?:hey|hi|hello|ok|okay|oops|wait|oh|um|hmm|well|so|and|but|actually|also|alright|right|sorry|please|pls|kindly|just|now|thanks|on second thought|(?:can|could|will|would) (?:you|u)|you (?:should|must|can|may|could|need to|have to)|(?:i|we) (?:need|want|would like) you to|i'd like you to|it'?s (?:ok|okay|fine|time) to|feel free to|go ahead and|try to|(?:ignore|disregard) and)[\\s,.!]+){0,5}"

/** The ways to tell somebody to do something. The groups: the verb, its object, and what follows a passive verb. */
const MOODS = [
  `(?<verb>${DELETE}) (?<what>.+)`,
  `(?:would|do) you mind (?<verb>${DELETES}) (?<what>.+)`,
  `(?:i(?:'d| would) (?:rather|prefer(?: it)?|appreciate(?: it)?|be (?:glad|happy))|it would be (?:nice|great|good)|i wish|i want|i need)(?: if)? you(?: to|(?:'d| would| could))? (?<verb>${DELETES}) (?<what>.+)`,
  `(?:make|be) sure (?:that )?(?:you|to) (?<verb>${DELETES}) (?<what>.+)`,
  `(?:can|could|should|may|must) (?<what>.+?) (?:please )?be (?<verb>${DELETES})(?<where> .+)?`,
  `(?<what>.+?) (?:can|could|should|must|may|needs? to|ha(?:s|ve) to|is to|are to)(?: now| please)? be (?<verb>${DELETES})(?<where> .+)?`,
  `(?:i(?:'d| would) like|i want|i need) (?<what>.+?) (?:to be )?(?<verb>${DELETES})(?<where> .+)?`,
].map(mood => new RegExp(`^${POLITE}${mood}$`, 'iu'))

const MEMORY =
  "(?:(?:(?:your|the bot's) (?:\\w+[ -])?(?:memory|memories|mind|head|brain|notes?|records?|logs?|database|storage|data|knowledge))|" +
  '(?:(?:the|our) )?(?:(?:shared|common|active|accessible|long-term|team|group|channel) )?memory)'
const FROM_MEMORY = new RegExp(
  ` (?:from|out of|off|in) ${MEMORY}(?: (?:any ?more|completely|for good|forever|now|as well|too))*$`,
  'iu',
)
/** "Delete from memory the old pin". */
const FROM_MEMORY_FIRST = new RegExp(`^(?:from|out of) ${MEMORY} (?=\\S)`, 'iu')

const ABOUT = '(?:about|on|of|regarding|concerning|related to)'
const ALL =
  '(?:(?:every|any)thing|all|whatever|what|that|(?:all )?(?:of )?(?:the|those|any|your|these|all) (?:stuff|things?|parts?|bits?|mess(?:age|ages)|story|stories))'
/** Words for what a memory has. */
const KNOWLEDGE =
  '(?:all )?(?:(?:the|any|all|your|every) )?(?:mentions?|memor(?:y|ies)|recollections?|knowledge|facts?|info|information|details?|notes?)'
const TOLD =
  "(?:i|we|you)(?:'ve| have)?(?: just| ever| already| once)? (?:said|told(?: you)?|wrote|written|mentioned|shared|posted|discussed|talked|spoke|know|known|remember|have|learn(?:ed|t)|stored|saved|kept|noted|got)(?: (?:to you|with you|here|stored|saved|anything))?"

/** Objects that show that the memory is meant, each with what it is about. */
const OF_MEMORY = [
  `${ALL}(?: that)? ${TOLD} ${ABOUT} (?<topic>.+)`,
  `${TOLD} anything ${ABOUT} (?<topic>.+)`,
  `${KNOWLEDGE} ${ABOUT} (?<topic>.+)`,
  `${MEMORY} ${ABOUT} (?<topic>.+)`,
  '(?:(?:every|any)thing|all) about (?<topic>(?:my|our|the) [^.,;]+)',
].map(object => new RegExp(`^${object}$`, 'iu'))
const ABOUT_TOPIC = new RegExp(`^(?:${ALL} )?${ABOUT} (?<topic>.+)$`, 'iu')

const LAST = '(?:(?:very )?(?:last|previous|latest|recent) )?'
const MESSAGE = `(?:that|this|my|the) ${LAST}(?:message|post|line|comment|sentence|remark|statement)s?`
const JUST_SAID =
  "(?:(?:what|that|everything|all|(?:the|that) (?:last )?thing|anything)(?: that)? )?i(?:'ve| have| had)?(?: just| ever)? (?:said|wrote|written|posted|told you|sent|typed|mentioned)(?: (?:that|this|it))?(?: (?:just now|before|now|a (?:moment|minute|second) ago|above|earlier))?"
/** Objects that are a message, and so need no other sign of the memory. */
export const IS_MESSAGE = new RegExp(`^(?:about )?(?:${MESSAGE}|${JUST_SAID})$`, 'iu')
/** Topics that name nothing: the previous message is meant. */
export const PREVIOUS = new RegExp(
  `^(?:about )?(?:${MESSAGE}|${JUST_SAID}|that|this|it|them|that one|this one|(?:that|this|my last|the last|my previous|the previous) (?:thing|one))$`,
  'iu',
)

/** What an order to forget does not mean: "forget it", "forget how to speak", "forget everyone". */
export const NO_TOPIC =
  /^(?:to|how|why|what|when|where|who|if|whether|it|me|you|us|we|him|her|them|everyone|everybody|everything|all|not|your|yourself|previous|(?:the|any|these|those) (?:above|previous|instructions?|rules?|prompts?)|about (?:it|that|this))\b(?! (?:is|are|was|were)\b)/i

const NO_LONGER =
  "(?:(?:no longer|stop|quit|never|(?:you )?(?:do not|don'?t|should not|shouldn'?t|must not|mustn'?t)(?: (?:need|have) to| ever)?|(?:there'?s |there is )?no need to))"
const PERSONAL = '(?:my|our) (?:(?!\\b(?:in|on|at|for|with|to|from|open|closed|waiting)\\b)[^.,;:])+?'
/** Orders to remember something no more. */
const NOT_KEPT = [
  `${NO_LONGER} remember(?:ing)? (?:${ALL}(?: that)?(?: ${TOLD})? ${ABOUT} )?(?<topic>(?:my|our|the) [^.,;:]+?)`,
  `${NO_LONGER} (?:keep|stor|sav|retain|hold)(?:e|ing)?(?: on to| onto)? ${ALL}(?: that)?(?: ${TOLD})? ${ABOUT} (?<topic>[^.,;:]+?)`,
  `${NO_LONGER} (?:keep|stor|sav|retain|hold|record)(?:e|ing)?(?: on to| onto)? (?<topic>${PERSONAL})(?: (?:in|on) (?:your )?${MEMORY})?`,
  "(?:pretend|act (?:like|as if)) (?:that )?i (?:had )?(?:never|didn'?t) (?:say|said|tell|told you|mention|mentioned) (?:anything )?(?:about )?(?<topic>.+?)",
].map(order => new RegExp(`^${POLITE}${order}(?: any ?(?:more|longer)| from now on)?$`, 'iu'))

const LATER = '(?: (?:any ?more|completely|entirely|for good|for ?ever|right now|now|again|already|at all|please))+$'
/** Why: it follows the order. */
const REASON =
  /(?:[,;.]| -| –)? (?:because|since|as|so that)? ?(?:i|it|that|they|this|we) (?:was|were|is|are|am|do|don'?t|did|didn'?t|shouldn'?t|should|want|wasn'?t|changed)\b.*$/iu

/** The topic of an order to delete, as it stands in the text; undefined for other texts. {@link PREVIOUS}: the previous message. */
export function deletionIn(text: string): string | undefined {
  const said = text
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, ' ')
    .replace(/(?<![\s.!?])[\s.!?]+$/u, '')
  return topicIn(said) ?? topicIn(said.replace(REASON, ''))
}

function topicIn(said: string): string | undefined {
  const plain = said.replace(new RegExp(LATER, 'iu'), '')
  const kept = NOT_KEPT.map(order => order.exec(plain)?.groups?.topic).find(topic => topic !== undefined)
  if (kept !== undefined) return kept
  for (const mood of MOODS) {
    const { verb = '', what = '', where = '' } = mood.exec(plain)?.groups ?? {}
    const topic = what === '' ? undefined : topicOf(verb, what, where)
    if (topic !== undefined) return topic
  }
  return undefined
}

function topicOf(verb: string, what: string, where: string): string | undefined {
  const object = `${what}${where}`
  const rest = object.replace(FROM_MEMORY, '').replace(FROM_MEMORY_FIRST, '')
  const inMemory = rest !== object
  const known = OF_MEMORY.map(one => one.exec(rest)?.groups?.topic).find(topic => topic !== undefined)
  if (known !== undefined) return known
  if (IS_MESSAGE.test(rest)) return rest
  if (inMemory || (FORGET.test(verb) && !NO_TOPIC.test(rest))) return ABOUT_TOPIC.exec(rest)?.groups?.topic ?? rest
  return /^(?:delete|erase)$/iu.test(verb) && /^(?:that|this)$/iu.test(rest) ? rest : undefined
}
