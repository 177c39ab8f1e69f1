import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadPrompts } from './prompts.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'kikimimi-prompts-'))
})
afterAll(() => rm(root, { recursive: true }))

describe('prompts', () => {
  test('fill in their values', async () => {
    const prompts = await load({ 'plugin/en/system.md': 'You are {{ name }}.\n\n{{sections}}\n' })
    expect(prompts.render('system', { name: 'kiki', sections: '## Facts', more: 'unused' }, 'en')).toBe(
      'You are kiki.\n\n## Facts',
    )
  })

  test('a value is inserted unchanged, with braces and dollars', async () => {
    const prompts = await load({ 'plugin/en/system.md': '{{text}} {{name}}' })
    expect(prompts.render('system', { text: "{{name}} $& $1 $' {{text}}", name: 'kiki' }, 'en')).toBe(
      "{{name}} $& $1 $' {{text}} kiki",
    )
  })

  test('notes at the top are left out', async () => {
    const prompts = await load({
      'plugin/en/system.md': '\uFEFF<!-- {{extra}}\nis possible -->\r\n<!-- more -->\r\nHi\r\n<!-- stays -->',
    })
    expect(prompts.render('system', {}, 'en')).toBe('Hi\n<!-- stays -->')
  })

  test('come in another language when this one is missing', async () => {
    const prompts = await load({
      'plugin/ja/ack.md': 'ひとこと',
      'plugin/en/system.md': 'English',
      'plugin/ja/system.md': '日本語',
    })
    expect(prompts.render('ack', {}, 'en')).toBe('ひとこと')
    expect(prompts.render('system', {}, 'ja')).toBe('日本語')
  })

  test('a file in the project overrides it, for each language', async () => {
    const prompts = await load({
      'plugin/en/system.md': 'Be kind.',
      'plugin/ja/system.md': 'やさしく。',
      'project/prompts/reply/en/system.md': 'Be a pirate.',
    })
    expect(prompts.render('system', {}, 'en')).toBe('Be a pirate.')
    expect(prompts.render('system', {}, 'ja')).toBe('やさしく。')
  })

  test('the error of a missing prompt names the folders', async () => {
    const prompts = await load({ 'plugin/en/system.md': '' })
    expect(() => prompts.render('sytem', {}, 'ja')).toThrow(
      expect.objectContaining({
        code: 'PROMPT_MISSING',
        message: expect.stringMatching(/"sytem"[\s\S]*prompts\/reply\/ja\/sytem\.md[\s\S]*plugin\/en\/sytem\.md/),
      }),
    )
  })

  test.each(['topic', 'constructor', '__proto__'])('a missing value is named: %s', async value => {
    const prompts = await load({ 'plugin/en/system.md': `About {{${value}}}` })
    expect(() => prompts.render('system', { name: 'kiki' }, 'en')).toThrow(
      expect.objectContaining({
        code: 'PROMPT_VALUE_MISSING',
        message: expect.stringMatching(new RegExp(`system\\.md wants {{${value}}}.*name`)),
      }),
    )
  })

  test('an override with an unknown value fails at the start', async () => {
    const files = { 'plugin/en/system.md': '<!-- also {{weather}} -->\n{{topic}}', 'plugin/ja/system.md': '{{topic}}{{mood}}' }
    const override = (text: string) => load({ ...files, 'project/prompts/reply/en/system.md': text })
    await expect(override('{{topc}}')).rejects.toMatchObject({
      code: 'PROMPT_VALUE_MISSING',
      message: expect.stringMatching(
        /system\.md uses \{\{topc\}\}\. Its values are: \{\{weather\}\}, \{\{topic\}\}, \{\{mood\}\}/,
      ),
    })
    expect((await override('{{mood}} {{weather}}')).render('system', { mood: 'calm', weather: 'rain' }, 'en')).toBe('calm rain')
  })

  test('the lines of bot.settings.json come before a file of the project', async () => {
    const files = { 'plugin/en/system.md': 'Be {{mood}}.', 'project/prompts/reply/en/system.md': 'Be a pirate.' }
    const prompts = await load(files, { system: { en: ['Be {{mood}}.', '', 'And short.'] } })
    expect(prompts.render('system', { mood: 'calm' }, 'en')).toBe('Be calm.\n\nAnd short.')
  })

  test.each([
    [{ sytem: { en: ['x'] } }, /bot\.settings\.json: plugins\.reply\.prompts\.sytem\.en replaces no prompt/],
    [{ system: { en: ['{{wether}}'] } }, /plugins\.reply\.prompts\.system\.en uses {{wether}}\. Its values are: {{mood}}/],
    [{ system: { xx: ['x'] } }, /plugins\.reply\.prompts\.system\.xx has a language that the bot does not speak/],
  ])('wrong lines of bot.settings.json fail at the start: %j', async (lines, message) => {
    await expect(load({ 'plugin/en/system.md': '{{mood}}' }, lines)).rejects.toThrow(message)
  })

  test('an override without a prompt fails at the start', async () => {
    await expect(load({ 'plugin/en/system.md': '', 'project/prompts/reply/en/sytem.md': '' })).rejects.toMatchObject({
      code: 'PROMPT_MISSING',
      message: expect.stringMatching(/sytem\.md replaces no prompt\. Its prompts are: system/),
    })
  })

  test('a plugin without files uses those of the project', async () => {
    const project = await folder({ 'prompts/mine/en/hello.md': 'Hello {{name}}' })
    const prompts = await loadPrompts({ plugin: 'mine', project })
    expect(prompts.render('hello', { name: 'kiki' }, 'en')).toBe('Hello kiki')
    expect(() => prompts.render('bye', {}, 'en')).toThrow(/"bye"/)
  })
})

async function load(files: Record<string, string>, lines?: Parameters<typeof loadPrompts>[0]['lines']) {
  const at = await folder(files)
  return loadPrompts({ plugin: 'reply', builtIn: new URL('plugin/', at), project: new URL('project/', at), lines })
}

async function folder(files: Record<string, string>): Promise<URL> {
  const at = await mkdtemp(path.join(root, 'case-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(at, name)), { recursive: true })
    await writeFile(path.join(at, name), text)
  }
  return pathToFileURL(`${at}/`)
}
