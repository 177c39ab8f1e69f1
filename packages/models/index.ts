/** The models of a bot, chosen by environment variables. */
import { localEmbeddings } from '@kikimimi/local-embeddings'
import type { ModelConfig } from 'kikimimi'
import { type Environment, PROVIDERS } from './providers.ts'

/**
 * The models of the first provider that the environment names, in the order Gemini, Anthropic, OpenAI, Ollama. Without one, the
 * result has no chat model, and the bot uses the offline model. The README lists the variables. An empty variable counts as absent.
 *
 * Vectors come from LOCAL_EMBEDDINGS, otherwise from that provider, otherwise from the first other provider whose model for
 * vectors is named: Anthropic has none.
 *
 * @throws MODEL_MISSING if a variable is set that is of no use without another one
 * @throws MODEL_PACKAGE_MISSING if the package of a provider is not installed
 */
export async function modelsFromEnvironment(environment: Environment = process.env): Promise<ModelConfig> {
  const set = Object.entries(environment).filter(([, value]) => value?.trim())
  const env: Environment = Object.fromEntries(set)
  const provider = PROVIDERS.find(({ isChosen }) => isChosen(env))
  const models = provider ? await provider.chat(env) : {}
  const embeddings = await embeddingsFrom(env, provider)
  return { ...models, ...(embeddings && { embeddings }) }
}

type Provider = (typeof PROVIDERS)[number]

async function embeddingsFrom(env: Environment, provider: Provider | undefined): Promise<ModelConfig['embeddings']> {
  if (env.LOCAL_EMBEDDINGS) return localEmbeddings(env.LOCAL_EMBEDDINGS)
  const own = await provider?.embeddings?.(env)
  if (own) return own
  return PROVIDERS.find(one => one !== provider && one.namesEmbeddings?.(env))?.embeddings?.(env)
}
