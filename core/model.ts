/** For authors of chat models: how to read the prompts that the bot writes. */
export { jsonSchemaOf } from './models/structured.ts'
export { type Line, readTranscript } from './prompt/transcript.ts'
