/** Classes and tools of LangChain's packages fit the public types, and its tools run in a whole bot. */
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import type { ChatAnthropic } from '@langchain/anthropic'
import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ToolMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI, type GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import type { ChatOllama, OllamaEmbeddings } from '@langchain/ollama'
import type { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { type BotConfig, definePlugin, type Tool } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { startGemini } from 'kikimimi/testing/gemini'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

type Models = NonNullable<BotConfig['models']>

test('the classes fit bot.config.ts', () => {
  expectTypeOf<BaseChatModel>().toExtend<Models['chat']>()
  expectTypeOf<ChatGoogleGenerativeAI>().toExtend<Models['chat']>()
  expectTypeOf<ChatOpenAI>().toExtend<Models['judge']>()
  expectTypeOf<ChatAnthropic>().toExtend<Models['summary']>()
  expectTypeOf<ChatOllama>().toExtend<Models['reflection']>()
  expectTypeOf<EmbeddingsInterface>().toExtend<Models['embeddings']>()
  expectTypeOf<GoogleGenerativeAIEmbeddings>().toExtend<Models['embeddings']>()
  expectTypeOf<OpenAIEmbeddings>().toExtend<Models['embeddings']>()
  expectTypeOf<OllamaEmbeddings>().toExtend<Models['embeddings']>()
  expectTypeOf<StructuredToolInterface>().toExtend<Tool>()
  expectTypeOf<OpenAIEmbeddings>().not.toExtend<Models['chat']>()
  expectTypeOf<ChatOpenAI>().not.toExtend<Models['embeddings']>()
})

const name = 'roll'
const description = 'Rolls'
const sides = z.object({ sides: z.coerce.number() })
const numbers = { type: 'object' as const, properties: { sides: { type: 'number' as const } }, required: ['sides'] }
const message = (more: object) => new ToolMessage({ content: 'a six', tool_call_id: '1', artifact: 'SECRET', ...more })

test.each<[title: string, tool: Tool, args: object, response: object]>([
  [
    'a zod schema',
    tool(input => `of ${input.sides + 1}`, { name, description, schema: sides }),
    { sides: '5' },
    { result: 'of 6' },
  ],
  [
    'a JSON schema',
    tool(input => Object(input), { name, description, schema: numbers }),
    { sides: 5 },
    { result: '{"sides":5}' },
  ],
  ['a text', tool(input => input, { name, description, schema: z.string() }), { input: 'all' }, { result: 'all' }],
  [
    'an artifact beside its content',
    tool(() => ['a six', 'SECRET'], { name, description, schema: sides, responseFormat: 'content_and_artifact' }),
    { sides: 6 },
    { result: 'a six' },
  ],
  ['a ToolMessage', tool(() => message({}), { name, description, schema: sides }), { sides: 6 }, { result: 'a six' }],
  [
    'a ToolMessage in blocks',
    tool(() => message({ content: [{ type: 'text', text: 'a six' }] }), { name, description, schema: sides }),
    { sides: 6 },
    { result: 'a six' },
  ],
  [
    'a ToolMessage about an error',
    tool(() => message({ status: 'error' }), { name, description, schema: sides }),
    { sides: 6 },
    { error: { details: 'a six' } },
  ],
  [
    'an input that does not fit',
    tool(() => 'SECRET', { name, description, schema: sides }),
    { sides: 'six' },
    { error: { details: expect.stringMatching(/did not match expected schema.*expected number.*at sides/s) } },
  ],
  [
    'an input that does not fit a JSON schema',
    tool(() => 'SECRET', { name, description, schema: numbers }),
    { sides: 'six' },
    { error: { details: expect.stringContaining('did not match expected schema') } },
  ],
])('a tool of LangChain with %s runs in a bot', async (_, roll, args, response) => {
  await using gemini = await startGemini({ answer: [{ parts: [{ functionCall: { name, args } }] }, 'It fell.'] })
  const { baseUrl, apiKey } = gemini
  const chat = new ChatGoogleGenerativeAI({ baseUrl, apiKey, model: 'gemini-test' })
  const dice = definePlugin({ name: 'dice', setup: () => ({ tools: [roll] }) })
  await using bot = await testBot({ models: { chat }, plugins: [addressing(), reply(), dice()] })
  await bot.say('alice', '@kiki roll it')
  await expect.poll(() => bot.sent).toEqual(['It fell.'])
  const { contents } = Object(gemini.calls[1]).body
  expect(contents.at(-1).parts).toMatchObject([{ functionResponse: { name, response } }])
  expect(JSON.stringify(gemini.calls)).not.toContain('SECRET')
})
