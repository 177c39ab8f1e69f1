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

// The models of the provider that .env names: Gemini, Anthropic, OpenAI or a server like it, Ollama.
const models = await modelsFromEnvironment()

export default defineBot({
  // What was changed in the settings studio of the dashboard. Its values replace those below.
  settings,

  // The name of the bot. `names` are other names for it; `prompt: '…'` describes its character in your own words.
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // The language of its own messages, and of its prompts where the talk does not tell: 'en', 'ja' or 'ko'.
  locale: 'en',

  // Any LangChain chat model. Default: the offline model, which answers by simple rules and without a network.
  models,

  // A folder, or a Postgres server with pgvector.
  database: DATABASE_URL || './data',

  // How long a conversation must be quiet before the bot decides whether to answer: 'auto', or a time such as '4s'.
  pacing: { minWait: 'auto' },

  // In the order in which they are called. Falsy entries are skipped.
  plugins: [
    // Where people talk.
    terminal(),
    DISCORD_TOKEN && discord(),
    (SLACK_BOT_TOKEN || SLACK_CLIENT_ID) && slack(),

    // The dashboard has a chat room and shows every decision. Without DASHBOARD_PASSWORD only this machine can open it.
    (process.stdin.isTTY || DASHBOARD_PASSWORD) && dashboard(),
    // Tries other options on recorded messages, for the tuning page of the dashboard.
    replay(),

    // When to be quiet: when a person asks for it, and at night: { hours: { from: '23:00', to: '07:00' } }
    quiet(),
    // Reminders in words: "remind me tomorrow at nine to …"
    promises(),
    // Answers "what did I miss?", and posts digests: digest({}, { channels: { general: { at: '0 9 * * MON-FRI' } } })
    digest(),
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
    models.chat && judgeLlm(),

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
