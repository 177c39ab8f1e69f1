import dashboard from '@kikimimi/dashboard'
import discord from '@kikimimi/discord'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
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

const {
  BOT_NAME = 'kiki',
  BOT_LOCALE,
  DASHBOARD_PASSWORD,
  DATABASE_URL,
  DISCORD_TOKEN,
  GOOGLE_API_KEY,
  OLLAMA_MODEL,
  SLACK_BOT_TOKEN,
} = process.env

/** Loaded with a key alone: it takes 75 MB. */
async function gemini(apiKey: string) {
  const { ChatGoogleGenerativeAI } = await import('@langchain/google-genai')
  return {
    chat: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey }),
    judge: new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash-lite', apiKey }),
  }
}

/** A model on a machine of your own. Where that is, OLLAMA_BASE_URL says. */
async function ollama(model: string) {
  const { ChatOllama } = await import('@langchain/ollama')
  // Its own window of 4,096 tokens would cut the prompt off without a word.
  return { chat: new ChatOllama({ model, numCtx: 16_384 }) }
}

export default defineBot({
  // Who the bot is. `names` are what else people call it; `prompt` is its character, in your own words.
  persona: { name: BOT_NAME, names: ['キキ', 'きき'] },

  // The language of its own messages, and of its prompts where the talk does not tell: 'en' or 'ja'. It answers in the
  // language of the talk.
  locale: BOT_LOCALE || 'en',

  // Any LangChain chat model, one for each role: chat, judge, summary, reflection; what is missing falls back to
  // chat. Without any the offline model answers, by simple rules and without a network.
  models: GOOGLE_API_KEY ? await gemini(GOOGLE_API_KEY) : OLLAMA_MODEL ? await ollama(OLLAMA_MODEL) : {},

  // A folder, or a Postgres server with pgvector.
  database: DATABASE_URL || './data',

  // How long a talk must be quiet before the bot judges whether to join it: as long as its people pause within a thought
  // ('4s' or any other time says it outright; `pacing: calm` waits five minutes; `channels: { dev: calm }` is for one channel).
  pacing: { minWait: 'auto', jitter: 0.3 },

  // What models may cost, for the bot and for each channel. Judging is cut first, answering who calls last:
  // budget: { day: { tokens: 2_000_000 }, channel: { hour: { tokens: 100_000 } } },

  // Whom and where it listens to. Everything, but other bots:
  // listen: { channels: ['general', 'dev'], except: ['announcements'], direct: true, bots: false },

  // The plugins, in the order in which they are asked. Falsy entries are left out.
  plugins: [
    // Platforms: where people talk. docs/discord.md and docs/slack.md show how to get the tokens.
    // A page with a chat room, and with all that the bot thinks: for who sits at this terminal. On a server, with a password.
    (process.stdin.isTTY || DASHBOARD_PASSWORD) && dashboard(),
    terminal(),
    DISCORD_TOKEN && discord(),
    SLACK_BOT_TOKEN && slack(),

    // When to be quiet: when somebody says so, and at night. First, so that nothing else is asked then.
    quiet({
      // hours: { from: '23:00', to: '07:00', timeZone: 'Asia/Tokyo' },
    }),

    // Does what people tell it: remember this, forget that, what do you know about me, forget me, don't listen to me.
    remember(),

    // Brings something up when a channel wakes after silence.
    proactive(),

    // Steps into a talk that nobody called it into, when it helps: in these channels, and in no other.
    eavesdrop({ channels: [] }),

    // When to speak: points for what speaks for it and against it, and a threshold.
    judgeRules({
      keywords: ['kikimimi'],
      threshold: 60,
    }),
    // A model judges where the points do not tell, between 20 and 80.
    (GOOGLE_API_KEY || OLLAMA_MODEL) && judgeLlm(),

    // What to remember: what goes on in channels, threads and the workspace; people; facts, and what was said.
    memorySummary(),
    profiles(),
    facts(),
    // Makes facts out of talk, once it has gone quiet.
    reflection(),

    // What to say: persona, context and tools, by the chat model.
    reply(),

    // Your own. A plugin can stand right here; docs/write-a-plugin.md shows how:
    // definePlugin({ name: 'night', setup: () => ({ filter: ({ at }) => (at.getHours() < 6 ? 'asleep' : undefined) }) }),
  ],
})
