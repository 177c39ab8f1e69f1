#!/usr/bin/env node
/** `npm create kikimimi NAME`. */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { newBot, Refusal } from './index.ts'

const HELP = `npm create kikimimi [NAME] [-- OPTIONS]: create the folder of a bot.

  --locale CODE    language of the bot and of its files (default: the language of LANG)
  --no-install     do not run npm install
  --yes            do not ask for a name: use my-bot
  --help           print this help
`

async function main(): Promise<void> {
  const { values, positionals } = parse()
  if (values.help) return void process.stdout.write(HELP)
  if (positionals.length > 1) throw new Refusal(`Expected one name, got ${positionals.length}: ${positionals.join(' ')}.`)
  const { locale, 'no-install': bare } = values
  process.stdout.write(await newBot(positionals[0] ?? (await askName(values.yes)), { locale, install: !bare }))
}

function parse() {
  try {
    return parseArgs({
      options: {
        locale: { type: 'string' },
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

async function askName(yes = false): Promise<string> {
  const usual = 'my-bot'
  if (yes || !process.stdin.isTTY) return usual
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`Name of the bot (${usual}): `)).trim() || usual
  } finally {
    terminal.close()
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
