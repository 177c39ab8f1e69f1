/** `kikimimi people`: lists people and links their accounts. */
import { parseArgs } from 'node:util'
import { type CliCommand, type CliOutput, KikimimiError, type PersonKey, type PluginContext, safeName } from 'kikimimi'
import { type Card, type KnownPerson, type Profile, type ProfileStore, Profiles } from './profile-store.ts'

const USAGE = [
  { call: 'people list', does: 'who is known, who talks most first; --limit N: so many (50)' },
  { call: 'people show ID', does: 'what is known of somebody; an ID is platform:id, as the list shows it' },
  { call: 'people undo ID', does: 'bring back the cards of somebody as they were before their last change' },
  { call: 'people link A B', does: 'make two accounts one person' },
  { call: 'people unlink A', does: 'take an account out of its person' },
] as const

export const people: CliCommand = {
  name: 'people',
  usage: USAGE,
  async run(ctx, args, out) {
    const { values, positionals } = parse(args)
    const [command = '', ...ids] = positionals
    const store = storeOf(ctx)
    const accounts = ids.map(personOf)
    const [one, other] = accounts
    if (command === 'list' && !one) await list(store, out, limitOf(values.limit))
    else if (command === 'show' && one && accounts.length === 1) await show(store, out, one)
    else if (command === 'undo' && one && accounts.length === 1) await undo(store, out, one)
    else if (command === 'link' && one && other && accounts.length === 2) await link(store, out, one, other)
    else if (command === 'unlink' && one && accounts.length === 1) await unlink(store, out, one)
    else throw usage(command === '' ? 'A command is missing.' : `"people ${positionals.join(' ')}" is not a command.`)
  },
}

async function list(store: ProfileStore, out: CliOutput, limit: number | undefined): Promise<void> {
  const known = await store.list(limit)
  if (out.json) for (const one of known) out.print(JSON.stringify(one))
  else if (known.length === 0) out.print('Nobody is known yet.')
  else for (const one of known) out.print(lineOf(one))
}

async function show(store: ProfileStore, out: CliOutput, person: PersonKey): Promise<void> {
  const profile = await store.inspect(person)
  if (!profile) throw new KikimimiError('USAGE', `There is no profile of ${idOf(person)}. List all: kikimimi people list`)
  const cards = await store.cards(person)
  if (out.json) return out.print(JSON.stringify({ ...profile, cards }))
  const { name, familiarity, messages, mentions, lastSeenAt, channels } = profile
  out.print(`${safeName(name)} (${idOf(person)}): ${familiarity}`)
  const linked = (await store.accounts(person)).slice(1)
  if (linked.length > 0) out.print(`  also ${linked.map(idOf).join(', ')}`)
  out.print(`  ${messages} messages, ${mentions} calls; last seen ${lastSeenAt.toISOString()}`)
  for (const channel of channels) out.print(`  #${safeName(channel.name)} ${channel.messages} (${channel.id})`)
  for (const line of understood(profile)) out.print(`  ${line}`)
  printCards(cards, out)
}

function printCards(cards: readonly Card[], out: CliOutput): void {
  for (const { realm, madeAt, lines } of cards) {
    out.print(`  card for ${realm}, ${madeAt.toISOString()}`)
    for (const line of lines) out.print(`    ${oneLine(line)}`)
  }
}

async function undo(store: ProfileStore, out: CliOutput, person: PersonKey): Promise<void> {
  const undone = await store.undoCards(person)
  if (undone === 0) throw new KikimimiError('USAGE', `No card of ${idOf(person)} has changed in the last 30 days.`)
  const cards = await store.cards(person)
  if (out.json) return out.print(JSON.stringify(cards))
  out.print(`${undone} undone.`)
  printCards(cards, out)
}

async function link(store: ProfileStore, out: CliOutput, one: PersonKey, other: PersonKey): Promise<void> {
  try {
    await store.link(one, other)
  } catch (error) {
    throw error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID' ? usage(error.message, error) : error
  }
  await tell(store, out, one)
}

async function unlink(store: ProfileStore, out: CliOutput, person: PersonKey): Promise<void> {
  await store.unlink(person)
  await tell(store, out, person)
}

async function tell(store: ProfileStore, out: CliOutput, person: PersonKey): Promise<void> {
  const accounts = await store.accounts(person)
  if (out.json) out.print(JSON.stringify(accounts))
  else out.print(accounts.length > 1 ? `${accounts.map(idOf).join(' = ')}` : `${idOf(person)} is linked to nobody.`)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { limit: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error), error)
  }
}

function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const limit = Number(given)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw usage(`--limit takes a number from 1 on, got "${given}".`)
}

/** The format of `kikimimi forget`. An id may contain a colon, the name of a platform must not. */
function personOf(given: string): PersonKey {
  const at = given.indexOf(':')
  if (at > 0 && at < given.length - 1) return { platform: given.slice(0, at), id: given.slice(at + 1) }
  throw usage(`"${given}" is not an ID. An ID is platform:id, like discord:80351110224678912.`)
}

function idOf({ platform, id }: PersonKey): string {
  return `${platform}:${id}`
}

function lineOf({ person, name, familiarity, messages, mentions, lastSeenAt, linked }: KnownPerson): string {
  const also = linked.length > 0 ? ` = ${linked.map(idOf).join(' = ')}` : ''
  const counts = `${messages} messages, ${mentions} calls, last seen ${lastSeenAt.toISOString().slice(0, 10)}`
  return `${idOf(person)}${also}  ${safeName(name)}  ${familiarity}, ${counts}`
}

function understood({ topics, tags = [], personality = '', lastConversation = '' }: Profile): string[] {
  const lines = [
    ['last talked about', topics.join(', ')],
    ['tags', tags.join(', ')],
    ['personality', personality],
    ['last conversation', lastConversation],
  ] as const
  return lines.flatMap(([label, text]) => (text === '' ? [] : `${label}: ${oneLine(text)}`))
}

/** One line, even if the model wrote several. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, ' ')
}

function storeOf(ctx: PluginContext): ProfileStore {
  const store = ctx.use(Profiles, 'optional')
  if (store) return store
  throw new KikimimiError('INTERNAL', '[profiles] The plugin is not set up.')
}

function usage(message: string, cause?: unknown): KikimimiError {
  const ways = USAGE.map(({ call }) => `  kikimimi ${call}`).join('\n')
  return new KikimimiError('USAGE', `${message}\n${ways}`, { cause })
}
