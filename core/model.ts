/** For authors of chat models: how to read the prompts that the bot writes. */
export { jsonSchemaOf } from './models/structured.ts'
export { readTranscript, type TranscriptLine } from './prompt/transcript.ts'
