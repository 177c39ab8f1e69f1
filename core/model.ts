/** For authors of models: what a model is, and how a chat model reads the prompts that the bot writes, in each of its languages. */

export type {
  ChatModel,
  ChatTurn,
  Generated,
  GenerateRequest,
  Reranker,
  Speaker,
  ToolCall,
  Transcriber,
} from './api/chat-model.ts'
export type { Recording, SpeechRequest } from './api/models.ts'
export { KikimimiError } from './base/errors.ts'
export { anyOf, type Locale, languagesIn, textsIn } from './base/text/texts.ts'
export { jsonSchemaOf } from './models/structured.ts'
export { readTranscript, type TranscriptLine } from './prompt/transcript.ts'
