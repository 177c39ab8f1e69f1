/**
 * Files whose regular expressions may take polynomial time, each with the bound of the texts that they read. Exponential time is refused
 * everywhere.
 */
export const BOUNDED: Readonly<Record<string, string>> = {
  'core/features/pacing/unfinished.ts': 'reads the last 80 characters of a message',
  'core/features/stop/stop-command.ts': 'reads messages of at most 100 characters',
  'packages/orders/': 'a message is read in 1,000 characters at each end, its call and its polite words in 120',
  'packages/speech-acts/features.ts': 'speechActOf reads the first 640 characters of a message and of the line before it',
  'packages/speech-acts/rules/language/ja.ts': 'a statement is at most 300 characters',
  'packages/speech-acts/text.ts': 'speechActOf reads the first 640 characters of a message and of the line before it',
  'plugins/addressing/language.ts': 'what stands before a name is at most 160 characters',
  'plugins/addressing/language/en.ts': 'what stands before a name is at most 160 characters',
  'plugins/addressing/language/ja.ts': 'what stands before a name is at most 160 characters',
  'plugins/addressing/talk/called.ts':
    'what stands before and after a name is at most 160 characters, the beginning of a message 120',
  'plugins/addressing/talk/names.ts': 'what stands before and after a name is at most 160 characters',
  'plugins/facts/text/own-words.ts': 'reads the first 1,000 characters of a line, with one space for several',
  'plugins/promises/language/': 'an order is at most 500 characters; of an answer 2,000 are read, of a promise in it 120',
  'plugins/promises/reading/': 'an order is at most 500 characters',
  'packages/times/': 'a text that names a time is at most 500 characters',
  'plugins/quiet/language/': 'a request is at most 120 characters',
  'plugins/remember/free/features.ts': 'the model of orders in free words reads at most 300 characters',
  'plugins/remember/language/': 'a message is read in 1,000 characters at each end',
  'plugins/remember/tags.ts': 'a message is read in 1,000 characters at each end',
  'plugins/terminal/': 'the person at the terminal types the line',
  'plugins/words/language/': 'a sentence is at most 300 characters',
}
