/** The providers of models: how each is chosen, and how its package is loaded. A package is loaded only when it is needed. */
import { KikimimiError, type ModelConfig } from 'kikimimi'

/** Environment variables. None of them is empty. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Provider {
  isChosen(env: Environment): boolean
  /** The models for texts. `judge` is the cheaper one, if there is one. */
  chat(env: Environment): Promise<Pick<ModelConfig, 'chat' | 'judge'>>
  /** The model for vectors. Nothing: the provider has none, or it is not named. */
  embeddings?(env: Environment): Promise<ModelConfig['embeddings']>
  /** Whether the model for vectors is named, so that it serves beside the chat model of another provider. */
  namesEmbeddings?(env: Environment): boolean
}

const gemini: Provider = {
  isChosen: env => env.GOOGLE_API_KEY !== undefined,
  async chat({ GOOGLE_API_KEY: apiKey = '', GOOGLE_MODEL = 'gemini-2.5-flash', JUDGE_MODEL = 'gemini-2.5-flash-lite' }) {
    const { ChatGoogleGenerativeAI } = await installed('@langchain/google-genai', import('@langchain/google-genai'))
    const named = (model: string) => new ChatGoogleGenerativeAI({ model, apiKey })
    return { chat: named(GOOGLE_MODEL), judge: named(JUDGE_MODEL) }
  },
  async embeddings({ GOOGLE_API_KEY: apiKey = '' }) {
    const { GoogleGenerativeAIEmbeddings } = await installed('@langchain/google-genai', import('@langchain/google-genai'))
    // 768 numbers for each text find nearly as much as all 3,072, in a quarter of the space.
    return new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-2', outputDimensionality: 768, apiKey })
  },
}

const anthropic: Provider = {
  isChosen: env => env.ANTHROPIC_API_KEY !== undefined,
  async chat(env) {
    const { ANTHROPIC_MODEL = 'claude-sonnet-4-5', JUDGE_MODEL = 'claude-haiku-4-5' } = env
    const { ChatAnthropic } = await installed('@langchain/anthropic', import('@langchain/anthropic'))
    const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: anthropicApiUrl } = env
    const named = (model: string) => new ChatAnthropic({ model, apiKey, ...(anthropicApiUrl && { anthropicApiUrl }) })
    return { chat: named(ANTHROPIC_MODEL), judge: named(JUDGE_MODEL) }
  },
}

const openai: Provider = {
  isChosen: ({ OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL }) =>
    (OPENAI_API_KEY ?? OPENAI_BASE_URL ?? OPENAI_MODEL) !== undefined,
  async chat(env) {
    const { OPENAI_MODEL, OPENAI_BASE_URL, JUDGE_MODEL } = env
    if (OPENAI_BASE_URL && !OPENAI_MODEL) {
      throw new KikimimiError(
        'MODEL_MISSING',
        'OPENAI_BASE_URL is set. Set OPENAI_MODEL to the name of a model of that server, too.',
      )
    }
    const { ChatOpenAICompletions } = await installed('@langchain/openai', import('@langchain/openai'))
    const named = (model: string) => new ChatOpenAICompletions({ model, ...accessToOpenAI(env) })
    return { chat: named(OPENAI_MODEL ?? 'gpt-5-mini'), judge: JUDGE_MODEL ? named(JUDGE_MODEL) : undefined }
  },
  async embeddings(env) {
    const model = env.OPENAI_EMBEDDING_MODEL ?? (env.OPENAI_BASE_URL ? undefined : 'text-embedding-3-small')
    if (!model) return undefined
    const { OpenAIEmbeddings } = await installed('@langchain/openai', import('@langchain/openai'))
    // Servers on your own machine do not know OpenAI's packed form of vectors.
    return new OpenAIEmbeddings({ model, encodingFormat: 'float', ...accessToOpenAI(env) })
  },
  namesEmbeddings: env => env.OPENAI_EMBEDDING_MODEL !== undefined,
}

function accessToOpenAI({ OPENAI_API_KEY, OPENAI_BASE_URL }: Environment) {
  // The client refuses to start without a key; a server on your own machine usually needs none.
  return { apiKey: OPENAI_API_KEY ?? 'none', ...(OPENAI_BASE_URL && { configuration: { baseURL: OPENAI_BASE_URL } }) }
}

const ollama: Provider = {
  isChosen: env => env.OLLAMA_MODEL !== undefined,
  async chat({ OLLAMA_MODEL = '', OLLAMA_BASE_URL, JUDGE_MODEL }) {
    const { ChatOllama } = await installed('@langchain/ollama', import('@langchain/ollama'))
    // Ollama's default window of 4,096 tokens would cut prompts off without an error.
    const named = (model: string) =>
      new ChatOllama({ model, numCtx: 16_384, ...(OLLAMA_BASE_URL && { baseUrl: OLLAMA_BASE_URL }) })
    return { chat: named(OLLAMA_MODEL), judge: JUDGE_MODEL ? named(JUDGE_MODEL) : undefined }
  },
  async embeddings({ OLLAMA_EMBEDDING_MODEL = 'embeddinggemma', OLLAMA_BASE_URL }) {
    const { OllamaEmbeddings } = await installed('@langchain/ollama', import('@langchain/ollama'))
    // A text that is too long is cut instead of refused.
    return new OllamaEmbeddings({
      model: OLLAMA_EMBEDDING_MODEL,
      truncate: true,
      ...(OLLAMA_BASE_URL && { baseUrl: OLLAMA_BASE_URL }),
    })
  },
  namesEmbeddings: env => env.OLLAMA_EMBEDDING_MODEL !== undefined,
}

/** The providers, in the order in which the environment chooses one. */
export const PROVIDERS: readonly Provider[] = [gemini, anthropic, openai, ollama]

/** @throws MODEL_PACKAGE_MISSING */
async function installed<M>(name: string, loading: Promise<M>): Promise<M> {
  try {
    return await loading
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error
    throw new KikimimiError(
      'MODEL_PACKAGE_MISSING',
      `The environment names a model that needs the package ${name}, which is not installed. Run: npm install ${name}`,
      { cause: error },
    )
  }
}
