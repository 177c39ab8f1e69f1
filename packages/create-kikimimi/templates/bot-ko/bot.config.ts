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

/** 키가 있을 때만 불러옵니다. 75 MB를 씁니다. */
async function gemini(apiKey: string) {
  const { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } = await import('@langchain/google-genai')
  return {
    chat: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey }),
    judge: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash-lite', apiKey }),
    // 기억을 의미로 찾는 모델입니다. 3,072개의 수 가운데 768개로도 거의 같은 것을 찾습니다.
    embeddings: new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-2', outputDimensionality: 768, apiKey }),
  }
}

/** OpenAI의 모델, 또는 같은 API를 가진 서버(OPENAI_BASE_URL)의 모델입니다. */
async function openai(model: string) {
  const { ChatOpenAICompletions, OpenAIEmbeddings } = await import('@langchain/openai')
  const apiKey = OPENAI_API_KEY || 'none'
  const vectors = OPENAI_EMBEDDING_MODEL || (OPENAI_BASE_URL ? undefined : 'text-embedding-3-small')
  return {
    chat: new ChatOpenAICompletions({ model, apiKey }),
    // 다른 서버는 OpenAI의 압축된 벡터 형식을 모릅니다.
    embeddings: vectors ? new OpenAIEmbeddings({ model: vectors, encodingFormat: 'float', apiKey }) : undefined,
  }
}

/** 자신의 컴퓨터에 있는 모델. 위치는 OLLAMA_BASE_URL로 정합니다. */
async function ollama(model: string) {
  const { ChatOllama, OllamaEmbeddings } = await import('@langchain/ollama')
  return {
    // 기본값인 4,096 토큰으로는 프롬프트가 소리 없이 잘립니다.
    chat: new ChatOllama({ model, numCtx: 16_384 }),
    // 너무 긴 글은 거절되지 않고 잘립니다.
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

// 키가 없어도 기억을 의미로 찾을 수 있습니다. 폴더의 정적 모델, 또는 Hugging Face에서 한 번 내려받는 모델을 씁니다.
const local = LOCAL_EMBEDDINGS ? { embeddings: localEmbeddings(LOCAL_EMBEDDINGS) } : {}

export default defineBot({
  // 봇의 이름. `names`는 다른 호칭, `prompt: '…'`는 성격을 자신의 말로 씁니다.
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // 봇이 스스로 하는 말의 언어. 대화의 언어를 알 수 없을 때의 프롬프트 언어이기도 합니다: 'en', 'ja', 'ko'.
  locale: 'ko',

  // LangChain의 채팅 모델. 없으면 오프라인 모델이 네트워크 없이 간단한 규칙으로 대답합니다.
  models: { ...models, ...local },

  // 폴더, 또는 pgvector가 있는 Postgres 서버.
  database: DATABASE_URL || './data',

  // 대화가 얼마나 조용해진 뒤에 참여할지 판단하는지: 'auto', 또는 '4s' 같은 시간.
  pacing: { minWait: 'auto' },

  // 플러그인에게 이 순서로 묻습니다. 거짓인 값은 건너뜁니다.
  plugins: [
    // 사람들이 이야기하는 곳.
    terminal(),
    DISCORD_TOKEN && discord(),
    SLACK_BOT_TOKEN && slack(),

    // 조용히 있을 때: 누군가가 그렇게 말할 때, 그리고 밤: { hours: { from: '23:00', to: '07:00', timeZone: 'Asia/Tokyo' } }
    quiet(),
    // 부탁받은 일을 합니다: 이거 기억해 줘, 그거 잊어 줘, 나에 대해 뭘 알아, 나를 잊어 줘.
    remember(),
    // 조용하던 채널에 사람들이 돌아오면 화제를 꺼냅니다.
    proactive(),
    // 부르지 않은 대화에 끼어들어 돕습니다. 여기에 적은 채널에서만 합니다.
    eavesdrop({ channels: [] }),

    // 이름으로 부르는 것을 알아듣고, 필요 없어진 답은 보내지 않습니다.
    addressing(),

    // 언제 말하는지: 말할 이유와 말하지 않을 이유의 점수. 그것으로 정해지지 않으면 모델이 판단합니다.
    judgeRules(),
    models && judgeLlm(),

    // 무엇을 기억하는지: 대화의 흐름, 사람, 사실. 조용해지면 대화에서 사실을 찾습니다.
    memorySummary(),
    profiles(),
    facts(),
    reflection(),

    // 무엇을 말하는지.
    reply(),

    // 직접 만든 플러그인: npm run kikimimi -- new plugin hello
  ],
})
