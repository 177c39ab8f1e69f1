import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { KikimimiError } from '../base/errors.ts'
import { LOCALES } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'
import { fill, placeholdersIn } from '../base/text/texts.ts'

/** The prompts of one plugin. */
export interface Prompts {
  /**
   * The prompt with each `{{value}}` filled in, once: `{{…}}` inside a value stays. An empty value leaves no blank lines. A
   * prompt that this language lacks comes in English, or else in any language.
   * @throws PROMPT_MISSING, PROMPT_VALUE_MISSING for a `{{value}}` that was not given
   */
  render(name: string, values: Readonly<Record<string, string>>, locale: Locale): string
  /** By locale and name. */
  readonly all: ReadonlyMap<string, Prompt>
}

export interface PromptPlaces {
  readonly plugin: string
  /** The plugin's own folder, with a folder for each language. */
  readonly builtIn?: URL | undefined
  /** The folder of bot.config.ts, whose `prompts/<plugin>/` overrides them. */
  readonly project?: URL | undefined
  /** The lines of prompts in bot.settings.json, by name and locale, which override both. */
  readonly lines?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined
}

/** Notes for people at the top of a file. */
const NOTES = /^(\s*<!--[\s\S]*?-->)+/

/** Reads all prompts of a plugin. Throws when a file of the project fits no prompt of this plugin. */
export async function loadPrompts({ plugin, builtIn, project, lines = {} }: PromptPlaces): Promise<Prompts> {
  const folders = [
    ...(project ? [path.join(fileURLToPath(project), 'prompts', plugin)] : []),
    ...(builtIn ? [fileURLToPath(builtIn)] : []),
  ]
  const own = builtIn ? await read(fileURLToPath(builtIn)) : []
  const overrides = [
    ...(project ? await read(path.join(fileURLToPath(project), 'prompts', plugin)) : []),
    ...inFile(plugin, lines),
  ]
  if (builtIn) for (const prompt of overrides) checkOverride(plugin, prompt, own)

  const prompts = new Map([...own, ...overrides].map(prompt => [`${prompt.locale}/${prompt.name}`, prompt]))

  return {
    all: prompts,

    render(name, values, locale) {
      const order = [locale, ...LOCALES.filter(other => other !== locale)]
      const prompt = order.map(language => prompts.get(`${language}/${name}`)).find(found => found !== undefined)
      if (!prompt) {
        const looked = folders.flatMap(folder => order.map(language => `  - ${path.join(folder, language, `${name}.md`)}`))
        throw new KikimimiError('PROMPT_MISSING', `[${plugin}] has no prompt "${name}". Looked at:\n${looked.join('\n')}`)
      }
      const filled = fill(
        prompt.text,
        values,
        (value, given) =>
          new KikimimiError(
            'PROMPT_VALUE_MISSING',
            `[${plugin}] ${prompt.file} wants {{${value}}}, which it is not given. The values are: ${given}.`,
          ),
      )
      return filled.replace(/\n{3,}/g, '\n\n').trim()
    },
  }
}

interface Prompt {
  readonly name: string
  readonly locale: Locale
  readonly file: string
  readonly text: string
  /** The values named in the text and in the notes above it. */
  readonly values: readonly string[]
}

async function read(folder: string): Promise<Prompt[]> {
  const found = LOCALES.map(async locale => {
    const files = await filesIn(path.join(folder, locale))
    return Promise.all(
      files.map(async file => {
        const whole = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
        return promptOf({ name: path.basename(file, '.md'), locale, file }, whole)
      }),
    )
  })
  return (await Promise.all(found)).flat()
}

function inFile(plugin: string, lines: NonNullable<PromptPlaces['lines']>): Prompt[] {
  return Object.entries(lines).flatMap(([name, byLocale]) =>
    Object.entries(byLocale).map(([tag, text]) => {
      const file = `bot.settings.json: plugins.${plugin}.prompts.${name}.${tag}`
      const locale = LOCALES.find(one => one === tag)
      if (!locale) {
        const problem = `[${plugin}] ${file} has a language that the bot does not speak. Its languages are: ${LOCALES.join(', ')}.`
        throw new KikimimiError('PROMPT_MISSING', problem)
      }
      return promptOf({ name, locale, file }, text.join('\n'))
    }),
  )
}

function promptOf(named: Pick<Prompt, 'name' | 'locale' | 'file'>, whole: string): Prompt {
  return { ...named, text: whole.replace(NOTES, '').trim(), values: placeholdersIn(whole) }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder)
    return files.filter(file => file.endsWith('.md')).map(file => path.join(folder, file))
  } catch (error) {
    // A plugin can have no prompts, or none in a language.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function checkOverride(plugin: string, prompt: Prompt, own: readonly Prompt[]): void {
  const replaced = own.filter(({ name }) => name === prompt.name)
  if (replaced.length === 0) {
    const names = [...new Set(own.map(({ name }) => name))].join(', ')
    throw new KikimimiError('PROMPT_MISSING', `[${plugin}] ${prompt.file} replaces no prompt. Its prompts are: ${names}.`)
  }
  const known = new Set(replaced.flatMap(({ values }) => values))
  const unknown = prompt.values.filter(value => !known.has(value)).map(value => `{{${value}}}`)
  if (unknown.length === 0) return
  const has = [...known].map(value => `{{${value}}}`).join(', ') || 'none'
  throw new KikimimiError(
    'PROMPT_VALUE_MISSING',
    `[${plugin}] ${prompt.file} uses ${unknown.join(', ')}. Its values are: ${has}.`,
  )
}
