import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelView } from '../channels/views.ts'
import { logIn, PASSWORD } from '../testing/attack.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import type { HistoryView, SettableView, StudioView } from './views.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-studio-'))
  file = join(folder, 'bot.settings.json')
  await writeFile(file, '{}\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (more: { password?: string } = {}) => openPage({ project: pathToFileURL(`${folder}/`), ...more })
const THRESHOLD = ['plugins', 'judge-rules', 'options', 'threshold']

async function ask<T>(
  page: TestPage,
  path: string,
  body?: unknown,
  cookie = '',
): Promise<{ status: number; body: T & { message: string } }> {
  const answer = await page.api(path, { ...(body !== undefined && { method: 'POST', body }), headers: { cookie } })
  return { status: answer.status, body: (await answer.json()) as T & { message: string } }
}
const state = async (page: TestPage) => (await ask<StudioView>(page, 'studio')).body
const save = async (page: TestPage, changes: readonly unknown[], version?: string) =>
  ask<StudioView>(page, 'studio', { version: version ?? (await state(page)).version, changes })
const at = ({ settings, plugins }: StudioView, path: readonly string[]): SettableView | undefined =>
  [...settings, ...plugins.flatMap(({ options }) => options)].find(one => one.path.join('.') === path.join('.'))

describe('the settings studio', () => {
  test('the list of changes names the settings, without their values', async () => {
    await using page = await open({ password: PASSWORD })
    const cookie = await logIn(page)
    const { version } = (await ask<StudioView>(page, 'studio', undefined, cookie)).body
    const changes = [
      { path: THRESHOLD, value: 42 },
      { path: ['persona', 'prompt'], value: 'a private text' },
    ]
    await ask(page, 'studio', { version, changes }, cookie)
    const found = await ask<{ changes: { account: string; about: { version: string; settings: string } }[] }>(
      page,
      'access/changes?text=threshold',
      undefined,
      cookie,
    )
    expect(found.body.changes).toMatchObject([{ account: 'owner' }])
    expect(found.body.changes[0]?.about).toEqual({ version, settings: 'plugins.judge-rules.options.threshold, persona.prompt' })
    expect(JSON.stringify(found.body)).not.toContain('private')
  })

  test('saves, applies, keeps who changed what, and takes it back', async () => {
    await using page = await open({ password: PASSWORD })
    const cookie = await logIn(page)
    const { version } = (await ask<StudioView>(page, 'studio', undefined, cookie)).body
    const changes = [
      { path: THRESHOLD, value: 42 },
      { path: ['persona', 'name'], value: 'mimi' },
    ]
    const saved = await ask<StudioView>(page, 'studio', { version, changes }, cookie)
    expect(saved.status).toBe(200)
    expect(at(saved.body, THRESHOLD)).toMatchObject({ value: 42, from: 'bot.settings.json' })
    expect(page.bot.persona.name).toBe('mimi')
    expect(at(saved.body, THRESHOLD)).not.toHaveProperty('unused')
    expect(at(saved.body, [...THRESHOLD.slice(0, -1), 'cooldown'])).toMatchObject({
      unused: 'preset "attentive" does not read it',
    })
    const { entries } = (await ask<{ entries: HistoryView[] }>(page, 'studio/history', undefined, cookie)).body
    expect(entries).toMatchObject([
      {
        account: 'owner',
        changes: [
          { path: THRESHOLD, after: 42 },
          { path: ['persona', 'name'], after: 'mimi' },
        ],
      },
    ])

    expect((await ask(page, 'studio/undo', { id: entries[0]?.id }, cookie)).status).toBe(200)
    expect([await readFile(file, 'utf8'), page.bot.persona.name]).toEqual(['{}\n', 'kiki'])
    const after = (await ask<{ entries: HistoryView[] }>(page, 'studio/history', undefined, cookie)).body.entries
    expect(after).toMatchObject([{ undoes: entries[0]?.id }, { undoneBy: after[0]?.id }])
  })

  test('tells the second of two people that save the same setting, and overwrites nothing', async () => {
    await using page = await open()
    const { version } = await state(page)
    const answers = await Promise.all([30, 31].map(value => save(page, [{ path: THRESHOLD, value }], version)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toContain('Nothing was overwritten')
    const kept = answers.find(({ status }) => status === 200)?.body
    expect(at(await state(page), THRESHOLD)?.value).toBe(kept && at(kept, THRESHOLD)?.value)
    expect((await ask<{ entries: unknown[] }>(page, 'studio/history')).body.entries).toHaveLength(1)
  })

  test('does not take back what was changed since', async () => {
    await using page = await open()
    await save(page, [{ path: THRESHOLD, value: 30 }])
    await save(page, [{ path: THRESHOLD, value: 31 }])
    const { entries } = (await ask<{ entries: HistoryView[] }>(page, 'studio/history')).body
    expect(await ask(page, 'studio/undo', { id: entries[1]?.id })).toMatchObject({ status: 409 })
    expect(at(await state(page), THRESHOLD)?.value).toBe(31)
    expect(await ask(page, 'studio/undo', { id: 99 })).toMatchObject({ status: 404 })
  })

  test('refuses what does not fit, with the reason, and leaves the file as it was', async () => {
    await using page = await open()
    const refused = [
      [{ path: THRESHOLD, value: 'loud' }, /\[judge-rules\] threshold: .*got "loud"/],
      [{ path: ['plugins', 'dashboard', 'enabled'], value: false }, /This page is part of it/],
      [{ path: ['plugins', 'dashboard', 'options', 'password'], value: 'a password of mine' }, /set DASHBOARD_PASSWORD there/],
      [{ path: ['database'], value: 'postgres://x' }, /can only be set in bot\.config\.ts/],
    ] as const
    for (const [change, why] of refused) {
      const answer = await save(page, [{ path: ['persona', 'name'], value: 'mimi' }, change])
      expect(answer).toMatchObject({ status: 422, body: { message: expect.stringMatching(why) } })
    }
    expect([await readFile(file, 'utf8'), page.bot.persona.name]).toEqual(['{}\n', 'kiki'])
  })

  test('says why nothing can be changed: a file broken by hand', async () => {
    await using page = await open()
    const { version } = await state(page)
    await writeFile(file, '{\n  "persona": {\n')
    expect((await state(page)).problem).toMatch(/is no JSON: it ends too early in line 3, column 1/)
    expect(await save(page, [{ path: THRESHOLD, value: 1 }], version)).toMatchObject({ status: 422 })
    expect(await readFile(file, 'utf8')).toBe('{\n  "persona": {\n')
  })

  test('shows no secret', async () => {
    await using page = await open({ password: PASSWORD })
    const { body } = await ask<StudioView>(page, 'studio', undefined, await logIn(page))
    expect(JSON.stringify(body)).not.toContain(PASSWORD)
    expect(at(body, ['plugins', 'dashboard', 'options', 'password'])).toMatchObject({
      why: expect.stringContaining('DASHBOARD_PASSWORD'),
    })
  })

  test('finds one of 5,000 channels, and sets an option for a place of 500 characters', async () => {
    await using page = await open()
    await page.db.query(
      `insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
       select 'test/team/c' || n, 'test', 'team', 'c' || n, 'channel-' || n, 'public' from generate_series(1, 5000) n`,
    )
    const found = (await ask<{ channels: string[] }>(page, 'studio/places?text=CHANNEL-499')).body
    expect(found.channels).toEqual(['channel-499', ...Array.from({ length: 10 }, (_, n) => `channel-499${n}`)])
    const listed = async (path: string) => {
      const { body } = await ask<{ channels?: ChannelView[]; places?: ChannelView['place'][] }>(page, path)
      return (body.places ?? body.channels?.map(({ place }) => place) ?? []).map(({ conversation }) => conversation)
    }
    // The lists of the other pages have the latest channels, and the one that is asked for.
    expect([(await listed('channels')).length, (await listed('places')).length]).toEqual([500, 500])
    expect(await listed('channels?text=CHANNEL-4999')).toEqual(['test/team/c4999'])
    expect((await listed('places?conversation=test/team/c4999'))[0]).toBe('test/team/c4999')
    const name = 'n'.repeat(500)
    const path = ['plugins', 'addressing', 'channels', name, 'chattiness']
    expect(await save(page, [{ path, value: 'quiet' }])).toMatchObject({ status: 200 })
    const place = await ask<{ options: SettableView[] }>(page, `studio/place?kind=channels&name=${name}`)
    expect(place.body.options).toContainEqual(expect.objectContaining({ path, value: 'quiet', from: 'bot.settings.json' }))
    expect((await ask<{ set: unknown }>(page, 'studio/places?text=nnn')).body.set).toEqual([{ kind: 'channels', name }])
  })
})
