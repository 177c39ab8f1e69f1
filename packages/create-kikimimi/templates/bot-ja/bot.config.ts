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

// .env で選んだ提供元（Gemini、Anthropic、OpenAI または同じ API を持つサーバー、Ollama）のモデルです。
const models = await modelsFromEnvironment()

export default defineBot({
  // ダッシュボードの設定スタジオで変更した値です。下の値より優先されます。
  settings,

  // ボットの名前。`names` はほかの呼ばれ方、`prompt: '…'` は性格を自分の言葉で書きます。
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // ボット自身のメッセージの言語。会話の言語が分からないときのプロンプトの言語でもあります。'en'、'ja'、'ko'。
  locale: 'ja',

  // LangChain のチャットモデル。なければオフラインモデルが、ネットワークなしで簡単な規則により答えます。
  models,

  // フォルダー、または pgvector の入った Postgres サーバー。
  database: DATABASE_URL || './data',

  // 会話がどれだけ静かになってから、加わるかどうかを判断するか: 'auto'、または '4s' のような時間。
  pacing: { minWait: 'auto' },

  // プラグインは、この順に尋ねられます。偽の値は飛ばされます。
  plugins: [
    // 人が話す場所。
    terminal(),
    DISCORD_TOKEN && discord(),
    (SLACK_BOT_TOKEN || SLACK_CLIENT_ID) && slack(),

    // ダッシュボードにはチャットルームがあり、すべての判断が見えます。DASHBOARD_PASSWORD がなければ、この機械からだけ開けます。
    (process.stdin.isTTY || DASHBOARD_PASSWORD) && dashboard(),
    // 記録されたメッセージでほかの設定を試します。ダッシュボードの調整ページが使います。
    replay(),

    // 静かにするとき: そう言われたとき、そして夜: { hours: { from: '23:00', to: '07:00' } }
    quiet(),
    // 言葉で頼むリマインダー: 「明日の9時に…をリマインドして」
    promises(),
    // 「何があった？」に答え、決めた時刻にまとめを投稿します: digest({}, { channels: { general: { at: '0 9 * * MON-FRI' } } })
    digest(),
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
    models.chat && judgeLlm(),

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
