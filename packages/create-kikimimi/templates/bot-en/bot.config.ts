import addressing from '@kikimimi/addressing'
import discord from '@kikimimi/discord'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { localEmbeddings } from '@kikimimi/local-embeddings'
import memorySummary from '@kikimimi/memory-summary'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import slack from '@kikimimi/slack'
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'

const { DATABASE_URL, DISCORD_TOKEN, GOOGLE_API_KEY, SLACK_BOT_TOKEN } = process.env
const { LOCAL_EMBEDDINGS, OLLAMA_EMBEDDING_MODEL, OLLAMA_MODEL } = process.env
const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_EMBEDDING_MODEL, OPENAI_MODEL } = process.env

/** Loaded only with a key, because it takes 75 MB. */
async function gemini(apiKey: string) {
  const { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } = await import('@langchain/google-genai')
  return {
    chat: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey }),
    judge: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash-lite', apiKey }),
    // Memory finds by meaning with it. 768 numbers for each text find nearly as much as all 3,072.
    embeddings: new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-2', outputDimensionality: 768, apiKey }),
  }
}

/** A model of OpenAI, or of a server with the same API at OPENAI_BASE_URL. */
async function openai(model: string) {
  const { ChatOpenAICompletions, OpenAIEmbeddings } = await import('@langchain/openai')
  const apiKey = OPENAI_API_KEY || 'none'
  const vectors = OPENAI_EMBEDDING_MODEL || (OPENAI_BASE_URL ? undefined : 'text-embedding-3-small')
  return {
    chat: new ChatOpenAICompletions({ model, apiKey }),
    // Other servers do not know OpenAI's packed form of vectors.
    embeddings: vectors ? new OpenAIEmbeddings({ model: vectors, encodingFormat: 'float', apiKey }) : undefined,
  }
}

/** A model on your own machine. OLLAMA_BASE_URL is its address. */
async function ollama(model: string) {
  const { ChatOllama, OllamaEmbeddings } = await import('@langchain/ollama')
  return {
    // The default window of 4,096 tokens would cut off the prompt without an error.
    chat: new ChatOllama({ model, numCtx: 16_384 }),
    // A text that is too long is cut instead of refused.
    embeddings: new OllamaEmbeddings({ model: OLLAMA_EMBEDDING_MODEL || 'embeddinggemma', truncate: true }),
  }
}

const models = GOOGLE_API_KEY
  ? await gemini(GOOGLE_API_KEY)
  : OPENAI_MODEL
    ? await openai(OPENAI_MODEL)
    : OLLAMA_MODEL
      ? await ollama(OLLAMA_MODEL)
      : undefined

// Memory finds by meaning without a key, too: a static model in a folder, or one of Hugging Face that is downloaded once.
const local = LOCAL_EMBEDDINGS ? { embeddings: localEmbeddings(LOCAL_EMBEDDINGS) } : {}

export default defineBot({
  // The name of the bot. `names` are other names for it; `prompt: '…'` describes its character in your own words.
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // The language of its own messages, and of its prompts where the talk does not tell: 'en', 'ja' or 'ko'.
  locale: 'en',

  // Any LangChain chat model. Default: the offline model, which answers by simple rules and without a network.
  models: { ...models, ...local },

  // A folder, or a Postgres server with pgvector.
  database: DATABASE_URL || './data',

  // How long a conversation must be quiet before the bot decides whether to answer: 'auto', or a time such as '4s'.
  pacing: { minWait: 'auto' },

  // In the order in which they are called. Falsy entries are skipped.
  plugins: [
    // Where people talk.
    terminal(),
    DISCORD_TOKEN && discord(),
    SLACK_BOT_TOKEN && slack(),

    // When to be quiet: when a person asks for it, and at night: { hours: { from: '23:00', to: '07:00', timeZone: 'Asia/Tokyo' } }
    quiet(),
    // Follows requests: remember this, forget that, what do you know about me, forget me.
    remember(),
    // Starts a topic when a channel becomes active after silence.
    proactive(),
    // Joins conversations without being mentioned, only in these channels.
    eavesdrop({ channels: [] }),

    // Recognizes the bot's names, and withholds answers that are no longer needed.
    addressing(),

    // When to answer: points for and against it, and a model if the points do not decide.
    judgeRules(),
    models && judgeLlm(),

    // What to remember: summaries, people and facts. reflection() extracts facts from a conversation after it has ended.
    memorySummary(),
    profiles(),
    facts(),
    reflection(),

    // Writes the answer.
    reply(),

    // Your own: npm run kikimimi -- new plugin hello
  ],
})
