/** Embedding models as the bot calls them: a question and a text that is searched are marked as the model was trained. */
import type { LangChainEmbeddings } from '../api/chat-model.ts'
import { forOneCall, modelName } from './langchain.ts'

export interface EmbeddingModel {
  /** The name of the model. */
  readonly name: string
  /** The name of the model with the mark of its documents. Vectors of different spaces cannot be compared. */
  readonly space: string
  documents(texts: readonly string[]): Promise<number[][]>
  query(text: string): Promise<number[]>
}

/** What stands before a question and before a document. */
interface Marks {
  readonly query: string
  readonly document: string
}

const GEMMA: Marks = { query: 'task: search result | query: ', document: 'title: none | text: ' }

/**
 * Prefixes of models that were trained with them, from their model cards. Neither their servers nor LangChain's classes add them.
 * https://ai.google.dev/gemini-api/docs/embeddings · https://ai.google.dev/gemma/docs/embeddinggemma/model_card
 */
const PREFIXES: readonly (readonly [RegExp, Marks])[] = [
  [/gemini-embedding-(?!001|exp)|embedding-?gemma/, GEMMA],
  [/nomic-embed-text/, { query: 'search_query: ', document: 'search_document: ' }],
  [/\b(?:multilingual-)?e5-/, { query: 'query: ', document: 'passage: ' }],
  [/ruri-v3/, { query: '検索クエリ: ', document: '検索文書: ' }],
  [/qwen3-embedding/, { query: 'Instruct: Given a question, retrieve the messages that answer it\nQuery: ', document: '' }],
  [
    /mxbai-embed/,
    {
      query: 'Represent this sentence for searching relevant passages: ',
      document: '',
    },
  ],
]

/** Older models of Gemini take the mark as a parameter. LangChain's class has one field for questions and documents. */
const TASK_TYPES: Marks = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' }

export function fromEmbeddings(given: LangChainEmbeddings): EmbeddingModel {
  const name = modelName(given)
  const prefixes = PREFIXES.find(([names]) => names.test(name.toLowerCase()))?.[1]
  const own = 'taskType' in given ? given.taskType : undefined
  const tasks = !prefixes && 'taskType' in given && own === undefined ? TASK_TYPES : undefined
  const once = (mark: keyof Marks): LangChainEmbeddings => {
    const model = forOneCall(given)
    return tasks ? Object.create(model, { taskType: { value: tasks[mark] } }) : model
  }
  const mark = prefixes?.document.trim() || tasks?.document || (typeof own === 'string' ? own : '')
  return {
    name,
    space: mark === '' ? name : `${name} ${mark}`,
    documents: texts => once('document').embedDocuments(texts.map(text => (prefixes?.document ?? '') + text)),
    async query(text) {
      const model = once('query')
      const marked = (prefixes?.query ?? '') + text
      return model.embedQuery ? model.embedQuery(marked) : ((await model.embedDocuments([marked]))[0] ?? [])
    },
  }
}
