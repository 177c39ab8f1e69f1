/** Downloads the files of a model from Hugging Face. */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { KikimimiError } from 'kikimimi'
import { moduleFile } from './files.ts'

export interface Download {
  /** `owner/name` */
  readonly model: string
  readonly cache?: string
  readonly hub?: string
}

/** Largest files, in bytes. */
const LIMITS = { 'modules.json': 2 ** 20, 'tokenizer.json': 2 ** 26, 'model.safetensors': 2 ** 30 } as const

/** Milliseconds for one file. */
const DEADLINE = 10 * 60_000

/**
 * Returns the folder of the model. A model that is there already is not downloaded again.
 * @throws MODEL_UNAVAILABLE if a file does not arrive whole, MODEL_FILES_INVALID if it is no static model
 */
export async function download({ model, cache, hub }: Download): Promise<string> {
  const models = cache ?? join(process.env.KIKIMIMI_CACHE || '.cache', 'models')
  const folder = join(models, model.replace('/', '--'))
  if (existsSync(folder)) return folder
  const address = `${hub ?? 'https://huggingface.co'}/${model}/resolve/main`
  await mkdir(models, { recursive: true })
  // The folder gets its name when it is complete.
  const begun = await mkdtemp(`${folder}-`)
  try {
    await fetched(`${address}/modules.json`, join(begun, 'modules.json'), LIMITS['modules.json'])
    for (const name of ['tokenizer.json', 'model.safetensors'] as const) {
      const file = await moduleFile(begun, name)
      const url = `${address}/${relative(begun, file)}`
      if (!(await fetched(url, file, LIMITS[name]))) throw failed(url, 'there is no such file, so it is no static model')
    }
    await rename(begun, folder).catch(error => {
      // Another process was faster.
      if (!existsSync(folder)) throw error
    })
    return folder
  } finally {
    await rm(begun, { recursive: true, force: true })
  }
}

/** Returns false if there is no such file. */
async function fetched(url: string, into: string, limit: number): Promise<boolean> {
  const signal = AbortSignal.timeout(DEADLINE)
  try {
    const answer = await fetch(url, { signal, redirect: 'manual' })
    if (answer.status === 404) return false
    // A large file is elsewhere. Only the first answer has its size and its hash.
    const location = answer.headers.get('location')
    const response = location === null ? answer : await fetch(new URL(location, url), { signal })
    if (!response.ok || !response.body) throw failed(url, `the answer is ${response.status}`)
    const size = Number(answer.headers.get('x-linked-size') ?? Number.NaN)
    if (size > limit) throw failed(url, `it has ${size} bytes, and ${limit} are allowed`)
    await mkdir(dirname(into), { recursive: true })
    const hash = createHash('sha256')
    let count = 0
    async function* counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        count += chunk.length
        if (count > limit) throw failed(url, `it has more than ${limit} bytes`)
        hash.update(chunk)
        yield chunk
      }
    }
    await pipeline(response.body, counted, createWriteStream(into))
    const expected = answer.headers.get('x-linked-etag')?.replaceAll('"', '') ?? ''
    if (count < size) throw failed(url, `${count} of ${size} bytes arrived`)
    if (/^[0-9a-f]{64}$/.test(expected) && hash.digest('hex') !== expected) throw failed(url, 'it arrived damaged')
    return true
  } catch (error) {
    if (error instanceof KikimimiError) throw error
    throw failed(url, error instanceof Error ? error.message : 'it could not be reached', error)
  }
}

function failed(url: string, why: string, cause?: unknown): KikimimiError {
  const advice = 'Check the network and the name of the model, or download it yourself and give its folder as path.'
  return new KikimimiError('MODEL_UNAVAILABLE', `[local-embeddings] could not download ${url}: ${why}. ${advice}`, { cause })
}
