#!/usr/bin/env node
/** `npm create kikimimi NAME`. */
import { parseArgs } from 'node:util'
import { CONNECTIONS, locales, newBot, Refusal, usualLocale } from './index.ts'
import { ask, type Question } from './questions.ts'

const HELP = `npm create kikimimi [NAME] [-- OPTIONS]: create the folder of a bot. On a terminal it asks for what is not given.

  --locale CODE    language of the bot and of its files (default: the language of LANG)
  --connect WHERE  where people talk to the bot: ${CONNECTIONS.join(', ')} (default: terminal)
  --no-install     do not run npm install
  --yes            ask nothing: use the defaults, and the name my-bot
  --help           print this help
`

async function main(): Promise<void> {
  const { values, positionals } = parse()
  if (values.help) return void process.stdout.write(HELP)
  if (positionals.length > 1) throw new Refusal(`Expected one name, got ${positionals.length}: ${positionals.join(' ')}.`)
  const options = { ...values, name: positionals[0] }
  const questions = {
    name: { text: 'Name of the bot', usual: 'my-bot' },
    locale: { text: 'Language', usual: await usualLocale(), choices: await locales() },
    connect: { text: 'Where people talk to it', usual: 'terminal', choices: CONNECTIONS },
  } as const satisfies Record<string, Question>
  const asks = !values.yes && process.stdin.isTTY
  const missing = (['name', 'locale', 'connect'] as const).filter(key => options[key] === undefined)
  const answers = asks
    ? await ask(
        missing.map(key => questions[key]),
        { input: process.stdin, output: process.stderr },
      )
    : []
  const {
    name = questions.name.usual,
    locale,
    connect,
  } = {
    ...options,
    ...Object.fromEntries(answers.map((answer, index) => [missing[index], answer])),
  }
  process.stdout.write(await newBot(name, { locale, connect, install: !values['no-install'] }))
}

function parse() {
  try {
    return parseArgs({
      options: {
        locale: { type: 'string' },
        connect: { type: 'string' },
        'no-install': { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
