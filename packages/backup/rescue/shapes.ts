/** What a rescue takes out of the tables of any earlier version, and where this version keeps it. */

/**
 * The rows of one table. A column that both versions have keeps its value; a column that only this version has gets its default, unless
 * the shape says more. Rows are JSON in SQL: `old` is the row.
 */
export interface Shape {
  /** In the summary. */
  readonly what: string
  /** `schema.table`, in this version and in earlier ones. */
  readonly table: string
  /** The table of this version, if it has another name than that of earlier ones. */
  readonly into?: string
  /** Former names of columns. */
  readonly was?: Readonly<Record<string, string>>
  /** Columns whose value is never that of before, as SQL that returns JSON. */
  readonly set?: Readonly<Record<string, string>>
  /** Columns that earlier versions may lack and that have no default, as SQL that returns JSON. */
  readonly missing?: Readonly<Record<string, string>>
  /** Columns with the id of a platform, workspace or conversation: see {@link FORMER_PLATFORMS}. */
  readonly ids?: readonly string[]
  /** The rows that are taken, as SQL, and why the others are not. */
  readonly only?: { readonly where: string; readonly others: string }
  /** The table has rows from the beginning, which these replace. */
  readonly replaces?: true
  /** Selects the jobs of the rows that were taken: `kind`, `key`, `payload`, `at`. */
  readonly jobs?: string
}

/** Platforms that have another name now. The ids of conversations begin with it, and the channel of a terminal has it. */
export const FORMER_PLATFORMS: Readonly<Record<string, string>> = { console: 'terminal' }

const NULL = 'null::jsonb'
const INDEXED = 'because the bot counts and indexes the messages again'
const REFLECTION = `to_jsonb('reflection'::text)`

/** In this order: a row comes after the rows that it refers to. */
export const SHAPES: readonly Shape[] = [
  {
    what: 'conversations',
    table: 'kikimimi.conversation',
    was: { processed: 'looked' },
    // Turns that wait are taken; who works on them is not.
    set: {
      channel: movedName('channel'),
      name: movedName('name'),
      leased_by: NULL,
      leased_until: NULL,
      attempts: 'to_jsonb(0)',
      failure: NULL,
      failed_at: NULL,
    },
    ids: ['id', 'platform'],
  },
  { what: 'messages left out', table: 'kikimimi.left_out', ids: ['channel'] },
  { what: 'messages', table: 'kikimimi.message', ids: ['conversation', 'channel'] },
  { what: 'changes of audiences', table: 'kikimimi.readers_before', ids: ['conversation'] },
  { what: 'channels with a memory of their own', table: 'kikimimi.channel_memory', ids: ['channel'] },
  { what: 'settings made in the chat', table: 'kikimimi.setting', ids: ['place'], set: { plugin: movedSetting() } },
  // `restore` begins the erasure again.
  {
    what: 'people being forgotten',
    table: 'kikimimi.forgetting',
    ids: ['platform'],
    set: { trying: 'to_jsonb(false)', began_at: NULL, cleared_at: NULL, attempts: 'to_jsonb(0)' },
  },
  { what: 'hashes of what was erased', table: 'kikimimi.tombstone' },
  { what: 'forgotten people', table: 'profiles.forgotten', ids: ['platform'] },
  { what: 'forgotten people (summaries)', table: 'memory_summary.forgotten', ids: ['platform'] },
  { what: 'opt-outs', table: 'kikimimi.opt_out', ids: ['platform'] },
  { what: 'opt-outs', table: 'remember.opt_out', into: 'kikimimi.opt_out', ids: ['platform'] },
  { what: 'people off the record', table: 'remember.off_record', ids: ['conversation'] },
  { what: 'linked accounts', table: 'profiles.account', ids: ['platform'] },
  {
    what: 'places of facts',
    table: 'facts.scope',
    ids: ['workspace', 'channel', 'place'],
    missing: {
      realm: `to_jsonb(case when old->>'visibility' = 'public' then hashtext(old->>'workspace') & 1073741823
        else 1073741824 + (old->>'id')::int end)`,
    },
  },
  {
    what: 'dates and places of facts',
    table: 'facts.item',
    // This version makes tokens and vectors again.
    set: { tokens: `to_jsonb(''::text)`, words: 'to_jsonb(0)', space: NULL },
    only: { where: `old->>'kind' = 'fact'`, others: 'because the bot makes the entries of messages again' },
  },
  { what: 'facts', table: 'facts.fact' },
  { what: 'sources of facts', table: 'facts.fact_source', ids: ['channel'] },
  { what: 'names of people', table: 'facts.person', ids: ['workspace'] },
  { what: 'mutes', table: 'quiet.mute', ids: ['channel'] },
  {
    what: 'reminders and promises',
    table: 'promises.reminder',
    ids: ['conversation', 'channel'],
    jobs: `select 'promises.tell' as kind, id::text as key, jsonb_build_object('id', id) as payload, at from promises.reminder`,
  },
  { what: 'watched words', table: 'promises.watch', ids: ['conversation', 'channel'] },
  { what: 'people told of watched words', table: 'promises.watch_told' },
  // Without them the bot would make facts of the whole log again.
  { what: 'followers of the log', table: 'kikimimi.follower', only: { where: notIndexed('name'), others: INDEXED } },
  {
    what: 'marks of followers of the log',
    table: 'kikimimi.follower_mark',
    ids: ['conversation', 'place'],
    only: { where: notIndexed('follower'), others: INDEXED },
  },
  {
    what: 'marks of the reflection',
    table: 'reflection.watermark',
    into: 'kikimimi.follower',
    set: { name: REFLECTION },
    was: { name: 'id' },
  },
  {
    what: 'progress of the reflection',
    table: 'reflection.progress',
    into: 'kikimimi.follower_mark',
    set: { follower: REFLECTION },
    ids: ['conversation', 'place'],
  },
  { what: 'consents to voice', table: 'voice.consent', ids: ['platform'] },
  { what: 'installations in Slack', table: 'slack.installation' },
  { what: 'workspaces of Slack', table: 'slack.workspace' },
  { what: 'accounts of the dashboard', table: 'dashboard.account' },
]

/** The channel of a terminal has the name of the platform. */
function movedName(column: string): string {
  const cases = Object.entries(FORMER_PLATFORMS).map(
    ([before, now]) => `when old->>'platform' = '${before}' and old->>'${column}' = '${before}' then to_jsonb('${now}'::text)`,
  )
  return `case ${cases.join(' ')} else old->'${column}' end`
}

/** Their tables are made of the log, and stay behind. */
function notIndexed(column: string): string {
  return `old->>'${column}' not in ('facts', 'profiles')`
}

/** An option that went to another plugin. */
function movedSetting(): string {
  return `case when old->>'plugin' = 'judge-rules' and old->>'key' = 'chattiness' then to_jsonb('addressing'::text) else old->'plugin' end`
}

/** Why a table stays behind: the first pattern that fits. */
const LEFT: readonly (readonly [tables: RegExp, why: string])[] = [
  [
    /^facts\.|^kikimimi\.(author|follower_again|latest|source|turn_|heartbeat|personas|migration)/,
    'because the bot makes it again',
  ],
  [
    /^kikimimi\.(trace|prompt|delivery|model_use|spending|alert|forgotten_words|unread_since)/,
    'because it explains or counts past turns',
  ],
  [/^(attention|judge_llm|eavesdrop|proactive)\./, 'because it weighs past turns'],
  [/^reflection\./, 'because it counts past failures of a model'],
  [/^(memory_summary|profiles)\./, 'because the bot writes it again from the log and from what people say from now on'],
  [/^(knowledge|chroma)\./, 'because the bot reads it again from its source'],
  [/^(discord|slack|mcp|remember|promises|dashboard|digest|words)\./, 'because it is of use only to the version that wrote it'],
]

export function whyLeft(table: string): string {
  return LEFT.find(([tables]) => tables.test(table))?.[1] ?? 'because this version does not know it'
}
