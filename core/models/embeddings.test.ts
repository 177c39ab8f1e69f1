import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { OllamaEmbeddings } from '@langchain/ollama'
import { afterAll, describe, expect, test } from 'vitest'
import type { LangChainEmbeddings } from '../api/chat-model.ts'
import { VirtualClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { startGemini } from '../testing/gemini/index.ts'
import { createModels } from './models.ts'

const open = new AsyncDisposableStack()
afterAll(() => open.disposeAsync())

describe('a question and a text that is searched are marked differently', () => {
  const gemini = async (model: string, more: { taskType?: never; outputDimensionality?: number } = {}) => {
    const served = open.use(await startGemini())
    const { baseUrl, apiKey } = served
    const models = modelsWith(new GoogleGenerativeAIEmbeddings({ model, baseUrl, apiKey, ...more }))
    await models.embed(['tea', 'milk'])
    const question = await models.embedQuery('a drink?')
    const [documents, query] = served.calls.map(({ body }) => body)
    return { models, question, documents: documents?.requests, query }
  }

  test('for the first model of Gemini by the task type', async () => {
    const { models, documents, query } = await gemini('gemini-embedding-001')
    expect(documents).toMatchObject([
      { content: { parts: [{ text: 'tea' }] }, taskType: 'RETRIEVAL_DOCUMENT' },
      { content: { parts: [{ text: 'milk' }] }, taskType: 'RETRIEVAL_DOCUMENT' },
    ])
    expect(query).toMatchObject({ content: { parts: [{ text: 'a drink?' }] }, taskType: 'RETRIEVAL_QUERY' })
    expect(models.embeddingModel).toBe('gemini-embedding-001 RETRIEVAL_DOCUMENT')
  })

  test('for its second model by a prefix of each text, and the length of vectors is kept', async () => {
    const { models, question, documents, query } = await gemini('gemini-embedding-2', { outputDimensionality: 256 })
    expect(documents).toMatchObject([
      { content: { parts: [{ text: 'title: none | text: tea' }] } },
      { content: { parts: [{ text: 'title: none | text: milk' }] } },
    ])
    expect(query).toMatchObject({ content: { parts: [{ text: 'task: search result | query: a drink?' }] } })
    expect(JSON.stringify([documents, query])).not.toContain('taskType')
    expect(question).toHaveLength(256)
    expect(models.embeddingModel).toBe('gemini-embedding-2 title: none | text:')
  })

  test.each([
    ['embeddinggemma:300m', 'title: none | text: tea', 'task: search result | query: a drink?'],
    ['nomic-embed-text', 'search_document: tea', 'search_query: a drink?'],
    ['hf.co/intfloat/multilingual-e5-small', 'passage: tea', 'query: a drink?'],
    ['hf.co/cl-nagoya/ruri-v3-30m', '検索文書: tea', '検索クエリ: a drink?'],
    ['qwen3-embedding:0.6b', 'tea', 'Instruct: Given a question, retrieve the messages that answer it\nQuery: a drink?'],
    ['bge-m3', 'tea', 'a drink?'],
  ])('for %s by the prefixes that it was trained with', async (model, document, query) => {
    const { asked, models } = await ollama(model)
    await models.embed(['tea'])
    await models.embedQuery('a drink?')
    expect(asked).toEqual([
      [model, [document]],
      [model, [query]],
    ])
  })

  test('and a model without a method for questions gets them as documents', async () => {
    const models = modelsWith({ embedDocuments: async texts => texts.map(text => [text.length, 1]) })
    expect(await models.embedQuery('abc')).toEqual(Float32Array.of(3, 1))
  })
})

test('a model that Ollama does not have is named with the command that installs it', async () => {
  const { models } = await ollama('embeddinggemma', 404)
  await expect(models.embed(['tea'])).rejects.toMatchObject({
    code: 'MODEL_REFUSED',
    message: '[models] embeddinggemma is not installed in Ollama (404). Install it with: ollama pull embeddinggemma',
  })
})

function modelsWith(embeddings: LangChainEmbeddings) {
  const clock = new VirtualClock()
  const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock })
  const chat = { name: 'none', generate: async () => ({ text: '', toolCalls: [] }) }
  return createModels({ models: { chat, embeddings }, clock, random: () => 0.5, log })
}

/** Ollama's API on loopback, and its real client. */
async function ollama(model: string, status = 200) {
  const asked: unknown[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { model: string; input: string[] }
    asked.push([body.model, body.input])
    const answer =
      status === 200 ? { embeddings: body.input.map(text => [text.length, 1]) } : { error: `model "${model}" not found` }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.defer(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { asked, models: modelsWith(new OllamaEmbeddings({ model, baseUrl: `http://127.0.0.1:${port}` })) }
}
