/**
 * The previous notes in a prompt that asks for a summary: the paragraphs under its headings, up to the ruler at
 * its end, without the conversation. The notes of a channel follow its name.
 */
export function notesIn(prompt: string): string[] {
  const end = prompt.search(/^---$/m)
  const notes: string[] = []
  let channel: string | undefined
  let talk = false
  let heading = false
  for (const line of prompt.slice(0, Math.max(0, end)).split('\n')) {
    const [, title] = /^#+ (.*)$/.exec(line) ?? []
    if (title !== undefined) {
      heading = true
      talk = false
      channel = /^#\S/.test(title) ? title : undefined
    } else if (SPOKEN.test(line)) talk = true
    else if (heading && !talk && line !== '' && !/^[(（].*[)）]$/.test(line)) {
      notes.push(`${channel === undefined ? '' : `${channel}: `}${line.replace(/^\\/, '')}`)
    }
  }
  return notes
}

/** The first line of a message in a transcript. */
const SPOKEN = /^(?:[▶◆•] )?\*\*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\*\* .+:$/
