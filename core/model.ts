/** For authors of chat models: how to read the prompts that the bot writes, in each of its languages. */

export { KikimimiError } from './base/errors.ts'
export { anyOf, type Locale, languagesIn, textsIn } from './base/text/texts.ts'
export { jsonSchemaOf } from './models/structured.ts'
export { readTranscript, type TranscriptLine } from './prompt/transcript.ts'
