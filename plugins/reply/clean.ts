/**
 * Extracts the reply from the text of a model. Models copy the bot's name or a transcript line from the prompt to the
 * start;
 * both are removed. Returns an empty text if nothing is left, or if the text says that there is no reply.
 */
export function cleanReply(text: string, names: readonly string[]): string {
  let reply = text.trim()
  for (let before = ''; before !== reply; ) {
    before = reply
    reply = withoutName(reply.replace(TRANSCRIPT_LINE, ''), names).trim()
  }
  return [NO_REPLY, ERROR_PAGE, FOR_A_PROGRAM].some(nothing => nothing.test(reply)) ? '' : reply
}

/**
 * The part of an unfinished text that is a reply for sure. Empty while it may still become a name, a transcript line, a program's text
 * or the sign that there is no reply.
 */
export function beginningOf(text: string, names: readonly string[]): string {
  const reply = cleanReply(text, names)
  if (/^[[{<]/.test(reply) || /^(?:[▶◆•] ?)?\*\*\d{0,4}(?:$|\d-)/.test(reply)) return ''
  const bare = fold(reply.replaceAll('*', ''))
  const isName = names.some(name => fold(name).startsWith(bare))
  return isName || NOTHING.some(nothing => nothing.startsWith(bare.replace(/[\s_`"'({-]/g, ''))) ? '' : reply
}

/** What {@link NO_REPLY} finds, without its signs. */
const NOTHING = ['noreply', 'noresponse', 'noanswer', 'silent', 'silence']

/** `**2026-01-31 12:00:00** kiki:` */
const TRANSCRIPT_LINE =
  /^(?:[▶◆•] ?)?\*\*\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?\*\*[^\n:：→]{0,200}(?:→[^\n]{0,400}\))?[:：]/

/** Capitals only, because "Silence." can be an answer. */
const NO_REPLY = /^[\s*_`"'[({<]*(?:NO[ _-]?(?:REPLY|RESPONSE|ANSWER)|SILENT|SILENCE)[\s*_`"'\])}>.]*$/

const ERROR_PAGE = /^<(?:!doctype|html|\?xml)\b/i

/** A tool call or a verdict that came as text, complete or cut off. JSON for people stands in a code fence. */
const FOR_A_PROGRAM = /^\[?\s*\{\s*"[^"\n]*"\s*:/

/** The bot's name in front: `kiki: …`, also in bold. */
function withoutName(text: string, names: readonly string[]): string {
  const [prefix, name = ''] = /^\*{0,2}([^\n:：*]{1,200}?)\*{0,2}[ \t]*[:：]\*{0,2}/.exec(text) ?? []
  return prefix !== undefined && names.some(own => fold(own) === fold(name)) ? text.slice(prefix.length) : text
}

function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}
