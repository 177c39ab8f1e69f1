import addressing from '@kikimimi/addressing'
import backup from '@kikimimi/backup'
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

const {
  BACKUP_KEY,
  BOT_NAME = 'kiki',
  BOT_LOCALE,
  DASHBOARD_PASSWORD,
  DATABASE_URL,
  DISCORD_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_CLIENT_ID,
} = process.env

// The models of the provider that the environment names: Gemini, Anthropic, OpenAI or a server like it, Ollama. See .env.example.
const models = await modelsFromEnvironment()

export default defineBot({
  // What was changed in the settings studio of the dashboard. Its values replace those below.
  settings,

  // The name of the bot. `names` are other names for it; `prompt: '…'` describes its character in your own words.
  persona: { name: BOT_NAME, names: ['キキ', 'きき'] },

  // The language of the bot's own messages, and of prompts when a conversation has no clear language: 'en', 'ja' or 'ko'.
  // The bot answers in the language of the conversation.
  locale: BOT_LOCALE || 'en',

  // The time zone of the bot. Default: TZ in .env, or that of the machine. A place can have its own: persona: { channels: { paris: { timeZone: … } } }
  // timeZone: 'Asia/Tokyo',

  // A LangChain chat model for each role: chat, judge, summary, reflection. A missing role uses chat. Without a chat model the
  // offline model answers, by simple rules and without a network. A chat model that takes no audio needs `transcribe`.
  models,

  // A folder, or a Postgres server with pgvector.
  database: DATABASE_URL || './data',

  // How long a conversation must be quiet before the bot judges it. 'auto' follows the pauses that people make within a thought;
  // '4s' is a fixed time; `pacing: calm` waits five minutes; `channels: { dev: calm }` sets one channel.
  pacing: { minWait: 'auto', jitter: 0.3 },

  // Limits of what models may cost. Near the limit, judge calls are refused first, replies to mentions last:
  // budget: { day: { tokens: 2_000_000 }, channel: { hour: { tokens: 100_000 } } },

  // Which channels and authors the bot listens to. Default: all except other bots:
  // listen: { channels: ['general', 'dev'], except: ['announcements'], direct: true, bots: false },

  // The plugins, in the order in which stages ask them. False entries are ignored.
  plugins: [
    // Platforms. docs/discord.md and docs/slack.md show how to get the tokens.
    // The dashboard has a chat room and shows every decision. Without a password only this machine can open it.
    (process.stdin.isTTY || DASHBOARD_PASSWORD) && dashboard(),
    // Tries other options on recorded messages, for the tuning page of the dashboard.
    replay(),
    // Encrypted backups, every day. `kikimimi backup --new-key` makes the key.
    BACKUP_KEY && backup(),
    terminal(),
    DISCORD_TOKEN && discord(),
    (SLACK_BOT_TOKEN || SLACK_CLIENT_ID) && slack(),

    // Keeps the bot quiet when people ask for it, and at night. It stands first, so that no other plugin is asked then.
    quiet({
      // hours: { from: '23:00', to: '07:00' },
    }),

    // Reminders in words: "remind me tomorrow at nine to …", "when somebody mentions …, tell them …".
    promises(),

    // Answers "what did I miss?". It posts what happened in a channel at a time: digest({}, { channels: { general: { at: '0 9 * * MON-FRI' } } })
    digest(),

    // Carries out requests: remember this, forget that, what do you know about me, forget me, do not listen to me.
    remember(),

    // Starts a topic when a channel becomes active after silence.
    proactive(),

    // Joins a conversation without a mention when that helps, in these channels only.
    eavesdrop({ channels: [] }),

    // Answers to the names of the persona, and withholds an answer that is no longer needed. `/kiki chattiness` is its command.
    addressing(),

    // Decides when to speak: points for and against, and a threshold.
    judgeRules({
      keywords: ['kikimimi'],
      threshold: 60,
    }),
    // Asks a model when the points are between 20 and 80.
    models.chat && judgeLlm(),

    // Memory: summaries of channels, threads and the workspace; profiles of people; facts and messages.
    memorySummary(),
    profiles(),
    facts(),
    // Extracts facts from conversations once they are quiet.
    reflection(),

    // Writes the reply with the chat model: persona, context and tools.
    reply(),

    // Your own. A plugin can stand right here; docs/write-a-plugin.md shows how:
    // definePlugin({ name: 'night', setup: () => ({ filter: ({ at }) => (at.getHours() < 6 ? 'asleep' : undefined) }) }),
  ],
})
