import addressing from '@kikimimi/addressing'
import dashboard from '@kikimimi/dashboard'
import digest from '@kikimimi/digest'
import discord from '@kikimimi/discord'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import { modelsFromEnvironment } from '@kikimimi/models'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import promises from '@kikimimi/promises'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import slack from '@kikimimi/slack'
import terminal from '@kikimimi/terminal'
import { defineBot } from 'kikimimi'
import settings from './bot.settings.json' with { type: 'json' }

const { DASHBOARD_PASSWORD, DATABASE_URL, DISCORD_TOKEN, SLACK_BOT_TOKEN, SLACK_CLIENT_ID } = process.env

// .env로 고른 제공자(Gemini, Anthropic, OpenAI나 같은 API의 서버, Ollama)의 모델입니다.
const models = await modelsFromEnvironment()

export default defineBot({
  // 대시보드의 설정 스튜디오에서 바꾼 값입니다. 아래 값보다 우선합니다.
  settings,

  // 봇의 이름. `names`는 다른 호칭, `prompt: '…'`는 성격을 자신의 말로 씁니다.
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // 봇이 스스로 하는 말의 언어. 대화의 언어를 알 수 없을 때의 프롬프트 언어이기도 합니다: 'en', 'ja', 'ko'.
  locale: 'ko',

  // LangChain의 채팅 모델. 없으면 오프라인 모델이 네트워크 없이 간단한 규칙으로 대답합니다.
  models,

  // 폴더, 또는 pgvector가 있는 Postgres 서버.
  database: DATABASE_URL || './data',

  // 대화가 얼마나 조용해진 뒤에 참여할지 판단하는지: 'auto', 또는 '4s' 같은 시간.
  pacing: { minWait: 'auto' },

  // 플러그인에게 이 순서로 묻습니다. 거짓인 값은 건너뜁니다.
  plugins: [
    // 사람들이 이야기하는 곳.
    terminal(),
    DISCORD_TOKEN && discord(),
    (SLACK_BOT_TOKEN || SLACK_CLIENT_ID) && slack(),

    // 대시보드에는 채팅방이 있고, 모든 판단을 볼 수 있습니다. DASHBOARD_PASSWORD가 없으면 이 컴퓨터에서만 열 수 있습니다.
    (process.stdin.isTTY || DASHBOARD_PASSWORD) && dashboard(),
    // 기록된 메시지로 다른 설정을 시험합니다. 대시보드의 조정 페이지가 씁니다.
    replay(),

    // 조용히 있을 때: 누군가가 그렇게 말할 때, 그리고 밤: { hours: { from: '23:00', to: '07:00' } }
    quiet(),
    // 말로 부탁하는 알림: "내일 9시에 … 알려 줘"
    promises(),
    // "무슨 일 있었어?"에 답하고, 정한 시각에 요약을 올립니다: digest({}, { channels: { general: { at: '0 9 * * MON-FRI' } } })
    digest(),
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
    models.chat && judgeLlm(),

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
