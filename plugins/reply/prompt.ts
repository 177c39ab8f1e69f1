import { type Locale, type Turn, transcript } from 'kikimimi'

/** The request to the model: the text of the trigger, or of the whole batch, with names if several people wrote. */
export function asked({ messages }: Turn, locale: Locale): string {
  const text = messages
    .map(message => message.text.trim())
    .filter(text => text !== '')
    .join('\n')
  const speakers = new Set(messages.map(({ author }) => author.id))
  return speakers.size === 1 && text !== '' ? text : transcript(messages, { locale })
}
