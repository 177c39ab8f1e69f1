import type { Language } from '../language.ts'

const WORD = String.raw`(?<word>[^\s=:,()?]{1,30}(?: [^\s=:,()?]{1,30}){0,2})`
const MEANING = '(?<meaning>.{2,200})'
const HERE = '(?:here|for us|in this (?:channel|team|server|workspace))'
const NICKNAME = String.raw`(?<word>\p{Lu}[^\s.,]{1,19}|["“][^"“”]{2,20}["”])`
const NAME = String.raw`@?(?<name>[^\s,.?]{2,30}(?: \p{Lu}[^\s,.?]{1,30})?)`

const language: Language = {
  defines: [
    new RegExp(`^(?:by|with) ${WORD},? (?:we|I) (?:always )?mean ${MEANING}$`, 'i'),
    new RegExp(
      `^${WORD} (?:is short for|stands for|is (?:an |the )?(?:abbreviation|acronym) (?:of|for)|is (?:what we call|our (?:word|name) for)) ${MEANING}$`,
      'i',
    ),
    new RegExp(`^${HERE},? ${WORD} means ${MEANING}$`, 'i'),
    new RegExp(`^${WORD} (?:now )?means ${MEANING} (?:now|${HERE})$`, 'i'),
    /(?:^|\s)(?<word>[^\s()]{2,30}) \((?:that(?:'s| is) )?short for (?<meaning>[^()]{2,100})\)/i,
  ],
  states: [
    new RegExp(`^(?:(?:no|actually|fyi|btw|note)[,:]? )?${WORD} (?:now )?means ${MEANING}$`, 'i'),
    new RegExp(`^${WORD} = ${MEANING}$`),
  ],
  calls: [
    new RegExp(
      `^(?:(?:[Pp]lease|[Jj]ust|[Yy]ou can|[Ee]verybody|[Ee]veryone|[Pp]eople|[Ff]riends) )?[Cc]alls? me ${NICKNAME}(?: please)?$`,
      'u',
    ),
    new RegExp(`^[Mm]y nickname(?: here)? is ${NICKNAME}$`, 'u'),
  ],
  names: [
    new RegExp(`^${NICKNAME} is ${NAME}$`, 'u'),
    new RegExp(`^${NAME}['’]s nickname is ${NICKNAME}$`, 'u'),
    new RegExp(`^(?:[Ww]e|[Ee]verybody|[Ee]veryone) calls? ${NAME} ${NICKNAME}$`, 'u'),
  ],
  asks: [
    new RegExp(`^what(?: does|['’]s meant by| is meant by) ${WORD}(?: mean| stand for)(?: ${HERE})?\\?*$`, 'i'),
    new RegExp(`^what(?:['’]s| is| do you mean by| is meant by) (?:an? |the )?${WORD}\\?*$`, 'i'),
  ],
  explains: [/^(?:it(?:['’]s| is| means| stands for)|that(?:['’]s| is)|(?:it(?:['’]s| is) )?short for) (?<meaning>.{2,200})$/i],
  forgets: new RegExp(`^(?:please )?forget (?:the word |what )?${WORD}$`, 'i'),
  noWord:
    /^(?:i|you|he|she|it|we|they|one|this|that|these|those|what|which|who|there|here|now|today|tomorrow|yesterday|yes|no|ok|okay|nothing|something|everything|nobody|everybody|me|us|him|her|them|the|a|an)(?: |$)/i,
  noMeaning:
    /^(?:that|we|you|i|it|he|she|they|there|nothing|something|everything|business|trouble|a lot|so much|more|less|well|very|no|not|the same)\b/i,
  common:
    /^(?:OK|OKAY|LOL|BTW|FYI|IMO|IMHO|ASAP|AFK|BRB|TBH|IDK|WTF|OMG|TBD|ETA|FAQ|DIY|AM|PM|AD|BC|USA?|UK|EU|UN|TV|PC|CPU|GPU|RAM|USB|URL|API|HTTPS?|HTML|CSS|JSON|SQL|PDF|PNG|JPE?G|CSV|ID|IP|AI|IT|HR|CEO|CTO|GPS|SMS|DM|QA|UI|UX|PR|MR|TODO|FIXME|NOT|AND|OR|ALL|NO|YES)$/,
}

export default language
