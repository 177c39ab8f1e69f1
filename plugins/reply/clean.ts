/**
 * The words of a reply, from what a model wrote: without its own name or a line of the transcript in front, which
 * models copy from the prompt. Empty when nothing is left, or what is left is no reply but a sign that there is none.
 */
export function cleanReply(text: string, names: readonly string[]): string {
  let reply = text.trim()
  for (let before = ''; before !== reply; ) {
    before = reply
    reply = withoutName(reply.replace(TRANSCRIPT_LINE, ''), names).trim()
  }
  return [NO_REPLY, ERROR_PAGE, FOR_A_PROGRAM].some(nothing => nothing.test(reply)) ? '' : reply
}

/** `**2026-01-31 12:00:00** kiki:` */
const TRANSCRIPT_LINE = /^\*\*\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?\*\*[^\n:：]{0,200}[:：]/

/** Capitals only: "Silence." is something to say. */
const NO_REPLY = /^[\s*_`"'[({<]*(?:NO[ _-]?(?:REPLY|RESPONSE|ANSWER)|SILENT|SILENCE)[\s*_`"'\])}>.]*$/

const ERROR_PAGE = /^<(?:!doctype|html|\?xml)\b/i

/** A tool call that came as text, or a verdict, also when it is cut off. JSON for people stands in a fence. */
const FOR_A_PROGRAM = /^\[?\s*\{\s*"[^"\n]*"\s*:/

/** `kiki: …`, also in bold. */
function withoutName(text: string, names: readonly string[]): string {
  const [prefix, name = ''] = /^\*{0,2}([^\n:：*]{1,200}?)\*{0,2}[ \t]*[:：]\*{0,2}/.exec(text) ?? []
  return prefix !== undefined && names.some(own => fold(own) === fold(name)) ? text.slice(prefix.length) : text
}

function fold(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}
