/** Reads the schema of a plugin: descriptions of its options, and which values could be secrets. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isSecretName } from '../../api/checks/option-errors.ts'
import { isJson, type Json, jsonOf } from '../../api/checks/option-names.ts'
import type { ExplainedOption } from '../../api/index.ts'
import { parseDuration } from '../../base/duration.ts'

export interface OptionSchema extends Pick<ExplainedOption, 'takes' | 'choices' | 'least' | 'most' | 'whole' | 'does'> {
  /** The default, as one writes it. Absent: the schema does not say it. */
  readonly usual?: unknown
  /** True: the schema says that every value may be shown: `.meta({ public: true })` in zod. */
  readonly isPublic: boolean
  /** The variable of the environment that gives it: `.meta({ environment: 'NAME' })`. Absent: none. */
  readonly environment?: string
}

export interface OptionSchemas {
  of(option: string): OptionSchema
  /** The names of the options. */
  readonly names: readonly string[]
  /** All words in the schema itself: names of options, and their possible values. */
  readonly words: ReadonlySet<string>
}

/** Nothing for a schema that cannot be read. */
export function readSchema(schema: StandardSchemaV1 | undefined): OptionSchemas {
  const json = jsonOf(schema)
  const properties = isJson(json.properties) ? json.properties : {}
  return {
    names: Object.keys(properties),
    words: new Set(['', ...wordsIn(json)]),
    of(option) {
      const one = Object.hasOwn(properties, option) ? properties[option] : undefined
      if (!isJson(one)) return { takes: 'other', isPublic: false }
      const choices = textsOf(one.enum)
      return {
        isPublic: one.public === true,
        ...(typeof one.environment === 'string' && { environment: one.environment }),
        ...(one.default !== undefined && { usual: usualOf(one) }),
        ...(typeof one.description === 'string' && { does: one.description }),
        ...(choices ? { takes: 'choice', choices } : { takes: takesOf(one), ...boundsOf(one) }),
      }
    },
  }
}

/** The address part of a URL has a user, a password or a key. */
const ADDRESS = /:\/\/\S*[@?]/

interface CouldBeSecretOptions {
  readonly option: string
  readonly isPublic: boolean
  readonly scoped: boolean
  readonly words: ReadonlySet<string>
  /** Values of the environment whose names say that they are secrets. */
  readonly secrets: readonly string[]
}

/**
 * Whether a value must not be shown. A password looks like any other text, so a text is shown only if the schema contains
 * it, if it is a time, if the schema says that it is public, or if the option is scoped: an option of a channel is not
 * secret there. Options and environment variables with a secret name are never shown.
 */
export function couldBeSecret(value: unknown, { option, isPublic, scoped, words, secrets }: CouldBeSecretOptions): boolean {
  if (!isPublic && isSecretName(option)) return true
  const isOpen = isPublic || scoped
  const isSaid = (text: string) =>
    (isOpen || words.has(text) || parseDuration(text) !== undefined) &&
    !ADDRESS.test(text) &&
    !secrets.some(secret => text.includes(secret))
  const isShown = (part: unknown): boolean => {
    if (part === null || ['undefined', 'boolean', 'number'].includes(typeof part)) return true
    if (typeof part === 'string') return isSaid(part)
    if (Array.isArray(part)) return part.every(isShown)
    return isPlain(part) && Object.entries(part).every(([key, inner]) => isSaid(key) && !isSecretName(key) && isShown(inner))
  }
  return !isShown(value)
}

/** Without its defaults: they may come from the environment. */
function wordsIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(wordsIn)
  if (!isJson(json)) return []
  return Object.entries(json).flatMap(([key, inner]) => {
    if (key === 'default' || key === 'examples') return []
    if (key === 'const' || key === 'enum') return textsOf([inner].flat()) ?? []
    return key === 'properties' && isJson(inner)
      ? [...Object.keys(inner), ...Object.values(inner).flatMap(wordsIn)]
      : wordsIn(inner)
  })
}

function takesOf({ type, items }: Json): ExplainedOption['takes'] {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return 'text'
  return type === 'array' && isJson(items) && items.type === 'string' && !items.enum ? 'texts' : 'other'
}

function boundsOf({ type, minimum, exclusiveMinimum, maximum }: Json): Pick<OptionSchema, 'least' | 'most' | 'whole'> {
  const whole = type === 'integer'
  const least = whole && typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum
  return {
    ...(typeof least === 'number' && least > Number.MIN_SAFE_INTEGER && { least }),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && { most: maximum }),
    ...(whole && { whole }),
  }
}

/** A group of options has the defaults of each. */
function usualOf({ default: usual, properties }: Json): unknown {
  if (!isJson(usual) || !isJson(properties)) return usual
  const parts = Object.entries(properties).flatMap(([name, part]) => {
    const value = usual[name] ?? (isJson(part) ? usualOf(part) : undefined)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(parts)
}

function textsOf(list: unknown): string[] | undefined {
  if (!Array.isArray(list)) return undefined
  const texts = list.filter(one => typeof one === 'string')
  return texts.length === list.length ? texts : undefined
}

/** A plain object: no stream, no date, no instance of a class. */
function isPlain(value: unknown): value is Json {
  return isJson(value) && Object.getPrototypeOf(value) === Object.prototype
}
