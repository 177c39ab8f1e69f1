/** The files of a model, and the error for one that is missing or damaged. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KikimimiError } from 'kikimimi'

export function invalid(file: string, what: string, cause?: unknown): KikimimiError {
  const advice = 'Delete it and download the model again, or choose another model.'
  return new KikimimiError('MODEL_FILES_INVALID', `[local-embeddings] ${file} ${what}. ${advice}`, { cause })
}

/** @throws MODEL_FILES_INVALID if the file cannot be read */
export async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw invalid(file, 'cannot be read', cause)
  })
}

/** @throws MODEL_FILES_INVALID if the text of the file is no JSON */
export function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(file, 'is no JSON', cause)
  }
}

/**
 * The path of a file of the model. A model of sentence-transformers can have its files in a folder, which modules.json names.
 * @throws MODEL_FILES_INVALID
 */
export async function moduleFile(folder: string, name: string): Promise<string> {
  const file = join(folder, 'modules.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return join(folder, name)
  const modules = parsed(text, file)
  const found = Array.isArray(modules) ? modules.find(one => String(one?.type).endsWith('.StaticEmbedding')) : undefined
  const path: unknown = found?.path
  if (typeof path !== 'string' || !/^[\w-]*$/.test(path)) throw invalid(file, 'names no static embedding')
  return join(folder, path, name)
}
