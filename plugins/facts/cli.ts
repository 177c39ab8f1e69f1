/** `kikimimi facts`: for the operator of the bot. It shows facts from private conversations too. */
import { parseArgs } from 'node:util'
import { type CliCommand, type CliOutput, type Database, KikimimiError, type PluginContext } from 'kikimimi'
import { type Fact, Facts } from './api/facts.ts'
import { UNDO_MS } from './storage/retire.ts'
import { factsById } from './storage/rows.ts'
import { tokenId, tokensOf } from './text/tokens.ts'

/** Number of facts on a screen. */
const SHOWN = 50

interface Filter {
  readonly channel?: string | undefined
  readonly person?: string | undefined
}

export const factsCommand: CliCommand = {
  name: 'facts',
  usage: [
    { call: 'facts list', does: `the latest ${SHOWN} facts that hold, private ones too` },
    { call: 'facts search TEXT', does: 'facts that have words in common with it, the most first' },
    {
      call: 'facts export',
      does: 'all facts, history too, as JSON lines; like the two above of --channel NAME or --person WHO alone',
    },
    { call: 'facts edit ID TEXT', does: 'put a fact right, by the number that list shows' },
    { call: 'facts pin ID…', does: 'keep facts from fading; facts unpin ID… lets them fade again' },
    { call: 'facts forget ID…', does: 'delete facts' },
    { call: 'facts undo', does: 'the latest batches of facts that other facts have replaced, for 30 days' },
    { call: 'facts undo BATCH', does: 'let all facts of such a batch hold again' },
  ],

  async run(ctx, args, out) {
    const { filter, verb, rest } = parse(args)
    if (verb === 'list' && rest.length === 0) return show(ctx.db, await latest(ctx.db, filter), out)
    if (verb === 'search' && rest.length > 0) return show(ctx.db, await search(ctx.db, rest.join(' '), filter), out)
    if (verb === 'edit' && rest.length > 1) return edit(ctx, rest, out)
    if ((verb === 'pin' || verb === 'unpin') && rest.length > 0) return pin(ctx, rest, verb === 'pin', out)
    if (verb === 'forget' && rest.length > 0) return forget(ctx, rest, out)
    if (verb === 'undo' && rest.length === 0) return showBatches(ctx, out)
    if (verb === 'undo' && rest.length === 1) return undo(ctx, rest, out)
    if (verb === 'export' && rest.length === 0) return exportAll(ctx.db, filter, out)
    const verbs = 'list, search TEXT, edit ID TEXT, pin ID…, unpin ID…, forget ID…, undo, or export'
    throw new KikimimiError('USAGE', `kikimimi facts ${verbs}. Try kikimimi facts --help.`)
  },
}

function parse(args: readonly string[]) {
  try {
    const { values: filter, positionals } = parseArgs({
      args: [...args],
      options: { channel: { type: 'string' }, person: { type: 'string' } },
      allowPositionals: true,
    })
    const [verb, ...rest] = positionals
    return { filter, verb, rest }
  } catch (error) {
    throw new KikimimiError('USAGE', `${error instanceof Error ? error.message : error}\nTry kikimimi facts --help.`)
  }
}

async function show(db: Database, facts: readonly Fact[], out: CliOutput): Promise<void> {
  const names = await channelNames(db, facts)
  for (const fact of facts) {
    const { id, kind, at, channel, content } = fact
    const where = `#${names.get(channel) ?? channel}`
    const kept = fact.pinned ? `${kind}, pinned` : kind
    out.print(out.json ? JSON.stringify(fact) : `${id}  ${at.toISOString().slice(0, 10)}  ${kept}  ${where}  ${oneLine(content)}`)
  }
  if (facts.length === 0 && !out.json) out.print('No facts.')
}

/** $1 and $2: a channel, $3 and $4: a person; null: all. */
const WANTED = `
  ($1::text is null or s.channel = $1 or exists (select 1 from kikimimi_v1.conversation c where c.id = s.channel and c.name = $2))
  and ($3::text is null or exists (
    select 1 from (
      select $4 as id union select p.id from facts.person p where p.workspace = s.workspace and lower(p.name) = lower($4)
    ) who
    where ($3 = $4 or starts_with(s.workspace, split_part($3, ':', 1) || '/'))
      and (f.people @> array[who.id] or exists (select 1 from facts.fact_source o where o.item = i.id and o.author = who.id))
  ))`

function paramsOf({ channel, person }: Filter): unknown[] {
  const [, id] = /^[a-z][\w-]*:(.+)$/s.exec(person ?? '') ?? []
  return [channel ?? null, channel?.replace(/^#/, '') ?? null, person ?? null, id ?? person ?? null]
}

const FROM = 'facts.item i join facts.fact f on f.item = i.id join facts.scope s on s.id = i.scope'

async function latest(db: Database, filter: Filter): Promise<Fact[]> {
  const { rows } = await db.query<{ id: number }>(
    `select i.id from ${FROM} where ${WANTED} and f.valid_to is null order by i.at desc, i.id desc limit ${SHOWN}`,
    paramsOf(filter),
  )
  return factsById(
    db,
    rows.map(({ id }) => id),
  )
}

async function search(db: Database, text: string, filter: Filter): Promise<Fact[]> {
  const tokens = [...new Set(tokensOf(text).map(tokenId))]
  const { rows } = await db.query<{ id: number }>(
    `select i.id from ${FROM} join facts.posting p on p.item = i.id
     where ${WANTED} and p.token = any($5) group by i.id, i.at order by count(*) desc, i.at desc limit ${SHOWN}`,
    [...paramsOf(filter), tokens],
  )
  return factsById(
    db,
    rows.map(({ id }) => id),
  )
}

/** The ids, if all of these facts exist; throws otherwise. */
async function idsOf(db: Database, given: readonly string[]): Promise<number[]> {
  const ids = given.map(Number)
  const wrong = given.find((_, at) => !Number.isSafeInteger(ids[at]))
  if (wrong !== undefined)
    throw new KikimimiError('USAGE', `The id of a fact is a number that kikimimi facts list shows, not "${wrong}".`)
  const known = new Set((await factsById(db, ids)).map(({ id }) => id))
  const missing = ids.filter(id => !known.has(id))
  if (missing.length > 0) throw new KikimimiError('USAGE', `There is no fact ${missing.join(', ')}. Nothing was changed.`)
  return ids
}

async function edit(ctx: PluginContext, [given = '', ...words]: readonly string[], out: CliOutput): Promise<void> {
  const [id = 0] = await idsOf(ctx.db, [given])
  const edited = await ctx
    .use(Facts, 'optional')
    ?.edit(id, { content: words.join(' ') })
    .catch(error => {
      throw error instanceof KikimimiError && error.code === 'ARGUMENT_INVALID'
        ? new KikimimiError('USAGE', error.message, { cause: error })
        : error
    })
  if (edited?.outcome === 'known') {
    throw new KikimimiError('USAGE', `Fact ${edited.id} says this already. Nothing was changed.`)
  }
  if (edited?.outcome === 'edited') await show(ctx.db, [edited.fact], out)
}

async function pin(ctx: PluginContext, given: readonly string[], pinned: boolean, out: CliOutput): Promise<void> {
  const ids = await idsOf(ctx.db, given)
  for (const id of ids) await ctx.use(Facts, 'optional')?.pin(id, pinned)
  await show(ctx.db, await factsById(ctx.db, ids), out)
}

async function forget(ctx: PluginContext, given: readonly string[], out: CliOutput): Promise<void> {
  const forgotten = (await ctx.use(Facts, 'optional')?.forget(await idsOf(ctx.db, given))) ?? 0
  out.print(out.json ? JSON.stringify({ forgotten }) : `${forgotten} forgotten.`)
}

async function showBatches({ db, clock }: PluginContext, out: CliOutput): Promise<void> {
  const { rows } = await db.query<{ batch: number; at: Date; contents: readonly string[] }>(
    `select retired_in as batch, max(retired_at) as at, array_agg(content order by item) as contents from facts.fact
     where retired_at >= $1 group by retired_in order by retired_in desc limit ${SHOWN}`,
    [new Date(clock.now() - UNDO_MS)],
  )
  for (const { batch, at, contents } of rows) {
    const line = `${batch}  ${at.toISOString().slice(0, 16).replace('T', ' ')}  ${contents.map(oneLine).join(' | ')}`
    out.print(out.json ? JSON.stringify({ batch, at, contents }) : line)
  }
  if (rows.length === 0 && !out.json) out.print('No facts were replaced in the last 30 days.')
}

async function undo(ctx: PluginContext, [given]: readonly string[], out: CliOutput): Promise<void> {
  const batch = Number(given)
  if (!Number.isSafeInteger(batch)) {
    throw new KikimimiError('USAGE', `A batch is a number that kikimimi facts undo shows, not "${given}".`)
  }
  const restored = (await ctx.use(Facts, 'optional')?.undo(batch)) ?? []
  if (restored.length === 0) throw new KikimimiError('USAGE', `There is nothing to undo in batch ${batch}.`)
  await show(ctx.db, await factsById(ctx.db, restored), out)
}

async function exportAll(db: Database, filter: Filter, out: CliOutput): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await db.query<{ id: number }>(
      `select i.id from ${FROM} where ${WANTED} and i.id > $5 order by i.id limit 500`,
      [...paramsOf(filter), after],
    )
    const ids = rows.map(({ id }) => id)
    for (const fact of await factsById(db, ids)) out.print(JSON.stringify(fact))
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

async function channelNames(db: Database, facts: readonly Fact[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from kikimimi_v1.conversation where id = any($1)',
    [[...new Set(facts.map(({ channel }) => channel))]],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The text on one line, without control characters of a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ')
}
