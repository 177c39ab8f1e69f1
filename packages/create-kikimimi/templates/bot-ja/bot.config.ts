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

/** キーがあるときだけ読み込みます。75 MB を使います。 */
async function gemini(apiKey: string) {
  const { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } = await import('@langchain/google-genai')
  return {
    chat: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey }),
    judge: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash-lite', apiKey }),
    // 記憶を意味で探すためのモデルです。3,072 個の数のうち 768 個で、ほとんど同じものが見つかります。
    embeddings: new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-2', outputDimensionality: 768, apiKey }),
  }
}

/** OpenAI のモデル、または同じ API を持つサーバー（OPENAI_BASE_URL）のモデルです。 */
async function openai(model: string) {
  const { ChatOpenAICompletions, OpenAIEmbeddings } = await import('@langchain/openai')
  const apiKey = OPENAI_API_KEY || 'none'
  const vectors = OPENAI_EMBEDDING_MODEL || (OPENAI_BASE_URL ? undefined : 'text-embedding-3-small')
  return {
    chat: new ChatOpenAICompletions({ model, apiKey }),
    // ほかのサーバーは、OpenAI の圧縮された形のベクトルに対応していません。
    embeddings: vectors ? new OpenAIEmbeddings({ model: vectors, encodingFormat: 'float', apiKey }) : undefined,
  }
}

/** 自分のマシンのモデル。場所は OLLAMA_BASE_URL で指定します。 */
async function ollama(model: string) {
  const { ChatOllama, OllamaEmbeddings } = await import('@langchain/ollama')
  return {
    // 既定の 4,096 トークンでは、プロンプトが黙って切られます。
    chat: new ChatOllama({ model, numCtx: 16_384 }),
    // 長すぎる文は、断られずに切られます。
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

// キーがなくても、記憶を意味で探せます。フォルダーの静的なモデル、または Hugging Face から一度だけダウンロードするモデルを使います。
const local = LOCAL_EMBEDDINGS ? { embeddings: localEmbeddings(LOCAL_EMBEDDINGS) } : {}

export default defineBot({
  // ボットの名前。`names` はほかの呼ばれ方、`prompt: '…'` は性格を自分の言葉で書きます。
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // ボット自身のメッセージの言語。会話の言語が分からないときのプロンプトの言語でもあります。'en'、'ja'、'ko'。
  locale: 'ja',

  // LangChain のチャットモデル。なければオフラインモデルが、ネットワークなしで簡単な規則により答えます。
  models: { ...models, ...local },

  // フォルダー、または pgvector の入った Postgres サーバー。
  database: DATABASE_URL || './data',

  // 会話がどれだけ静かになってから、加わるかどうかを判断するか: 'auto'、または '4s' のような時間。
  pacing: { minWait: 'auto' },

  // プラグインは、この順に尋ねられます。偽の値は飛ばされます。
  plugins: [
    // 人が話す場所。
    terminal(),
    DISCORD_TOKEN && discord(),
    SLACK_BOT_TOKEN && slack(),

    // 静かにするとき: そう言われたとき、そして夜: { hours: { from: '23:00', to: '07:00', timeZone: 'Asia/Tokyo' } }
    quiet(),
    // 頼まれたことをします: これを覚えて、それを忘れて、私について何を知っている、私を忘れて。
    remember(),
    // 静かだったチャンネルに人が戻ったとき、話題を出します。
    proactive(),
    // 呼ばれていない会話に助け舟を出します。ここに書いたチャンネルだけです。
    eavesdrop({ channels: [] }),

    // 名前で呼ばれたことに気づき、要らなくなった返事を取りやめます。
    addressing(),

    // いつ話すか: 話す理由と話さない理由の点数。それで決まらないときはモデルが判断します。
    judgeRules(),
    models && judgeLlm(),

    // 何を覚えるか: 会話の流れ、人、事実。静かになってから、会話を事実にします。
    memorySummary(),
    profiles(),
    facts(),
    reflection(),

    // 何を言うか。
    reply(),

    // 自作のプラグイン: npm run kikimimi -- new plugin hello
  ],
})
