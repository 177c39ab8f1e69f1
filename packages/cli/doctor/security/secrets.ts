/** Secrets where others can read them. */
import { permissions } from '../database/permissions.ts'
import { type Diagnosis, ok } from '../diagnosis.ts'
import type { Subject } from './subject.ts'

/** The forms of keys that services give out. */
const KEYS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a token of Discord', /['"`][\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}['"`]/],
  ['a token of Slack', /\bx(?:ox[abpr]|app)-[\w-]{10,}/],
  ['a key of Google', /\bAIza[\w-]{35}/],
  ['a key of a model', /['"`]sk-(?:ant-|proj-)?[\w-]{16,}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a password in a URL', /\b[a-z]+:\/\/[^\s'"`:@/]+:[^\s'"`@$]{3,}@/],
  ['a secret', /\b\w*(?:password|secret|token|api_?key)\w*\s*:\s*(['"])[^'"]{8,}\1/i],
]

export function literalSecrets({ file, text }: Subject): Diagnosis[] {
  const found = text.split('\n').flatMap((line, at): Diagnosis[] => {
    if (/^\s*(?:\/\/|\*)/.test(line)) return []
    const [name] = KEYS.find(([, pattern]) => pattern.test(line)) ?? []
    if (name === undefined) return []
    return [
      {
        severity: 'error',
        what: `${name} stands in the configuration, where version control and backups keep it`,
        where: `${file}:${at + 1}`,
        remedy: 'Move it to the file .env, read it with process.env, and replace it: who has the old one can use it.',
      },
    ]
  })
  return found.length > 0 ? found : [ok('secrets: none in the configuration')]
}

export function readableSecrets({ envFiles }: Subject): Promise<Diagnosis[]> {
  return permissions(envFiles)
}

/** Settings of the environment that send prompts to others, or trust anybody. */
const DANGEROUS: readonly (readonly [name: RegExp, value: RegExp, what: string, remedy: string])[] = [
  [
    /^(?:LANGSMITH_TRACING(?:_V2)?|LANGCHAIN_TRACING_V2)$/,
    /^true$/i,
    'sends every prompt, with what people said, to LangSmith',
    'Unset it, unless everybody in the chat agrees.',
  ],
  [
    /^OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT$/,
    /^(?!false$|no_content$).+/i,
    'writes prompts into traces',
    'Unset it, unless everybody in the chat agrees.',
  ],
  [/^NODE_TLS_REJECT_UNAUTHORIZED$/, /^0$/, 'accepts every certificate: anybody on the way can read tokens', 'Unset it.'],
]

export function dangerousEnvironment({ env }: Subject): Diagnosis[] {
  const found = Object.entries(env).flatMap(([name, value = '']) =>
    DANGEROUS.flatMap(([names, values, what, remedy]): Diagnosis[] =>
      names.test(name) && values.test(value)
        ? [{ severity: 'error', what: `${name}=${value} ${what}`, where: 'environment', remedy }]
        : [],
    ),
  )
  return found.length > 0 ? found : [ok('environment: prompts stay between the bot and its models')]
}
