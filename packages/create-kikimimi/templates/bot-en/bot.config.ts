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

const { DATABASE_URL, DISCORD_TOKEN, GOOGLE_API_KEY, OLLAMA_MODEL, SLACK_BOT_TOKEN } = process.env

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
  // Who the bot is. `names` are what else people call it; `prompt: '…'` is its character, in your own words.
  persona: { name: 'kiki', names: ['キキ', 'きき'] },

  // The language of its own messages, and of its prompts where the talk does not tell: 'en', 'ja' or 'ko'.
  locale: 'en',

  // Any LangChain chat model. Without one the offline model answers, by simple rules and without a network.
  models: GOOGLE_API_KEY ? await gemini(GOOGLE_API_KEY) : OLLAMA_MODEL ? await ollama(OLLAMA_MODEL) : {},

  // A folder, or a Postgres server with pgvector.
  database: DATABASE_URL || './data',

  // How long a talk must be quiet before the bot judges whether to join it: 'auto', or a time such as '4s'.
  pacing: { minWait: 'auto' },

  // In the order in which they are asked. Falsy entries are left out.
  plugins: [
    // Where people talk.
    terminal(),
    DISCORD_TOKEN && discord(),
    SLACK_BOT_TOKEN && slack(),

    // When to be quiet: when somebody says so, and at night: { hours: { from: '23:00', to: '07:00', timeZone: 'Asia/Tokyo' } }
    quiet(),
    // Does what people tell it: remember this, forget that, what do you know about me, forget me.
    remember(),
    // Brings something up when a channel wakes after silence.
    proactive(),
    // Steps into a talk that nobody called it into, in these channels alone.
    eavesdrop({ channels: [] }),

    // When to speak: points for it and against it, and where they do not tell, a model.
    judgeRules(),
    (GOOGLE_API_KEY || OLLAMA_MODEL) && judgeLlm(),

    // What to remember: what goes on, people, facts; and facts out of talk, once it has gone quiet.
    memorySummary(),
    profiles(),
    facts(),
    reflection(),

    // What to say.
    reply(),

    // Your own: npm run kikimimi -- new plugin hello
  ],
})
