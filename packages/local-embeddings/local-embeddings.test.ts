import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import facts from '@kikimimi/facts'
import { testBot } from 'kikimimi/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localEmbeddings } from './index.ts'

const open = new AsyncDisposableStack()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embeddings-'))
  open.defer(() => rm(folder, { recursive: true }))
})
afterAll(() => open.disposeAsync())

let count = 0
const place = () => join(folder, `model-${++count}`)

/** Words with the directions of their vectors. */
const TABLE: readonly (readonly [string, readonly [number, number]])[] = [
  ['<unk>', [0, 0]],
  ['▁', [0, 0]],
  ['where', [0, 0]],
  ['shall', [0, 0]],
  ['we', [0, 0]],
  ['eat', [1, 0]],
  ['peanut', [1, 0]],
  ['ピーナッツ', [1, 0]],
  ['食べ', [1, 0]],
  ['る', [0, 0]],
  ['食', [0, 1]],
  ['べる', [0, 1]],
  ['train', [0, 1]],
]

/** The rules of a tokenizer, as the Rust library writes them. */
const UNIGRAM = {
  version: '1.0',
  added_tokens: [],
  normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  // "食べ|る" is likelier than "食|べる".
  model: {
    type: 'Unigram',
    unk_id: 0,
    vocab: TABLE.map(([token]) => [token, /^(食|べる)$/.test(token) ? -5 : -1]),
    byte_fallback: false,
  },
}

const WORD_PIECE = {
  version: '1.0',
  added_tokens: [],
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '<unk>',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: { '<unk>': 0, eat: 1, '##ing': 2, train: 3, '##s': 4, 食: 5, 車: 6 },
  },
}

interface Made {
  readonly dtype?: 'F32' | 'F16' | 'BF16' | 'I8'
  readonly rows?: readonly (readonly number[])[]
  readonly tokenizer?: object
  /** The files are in a folder, as sentence-transformers writes them. */
  readonly nested?: string
}

/** A tiny model in a folder. */
async function model({ dtype = 'F32', rows = TABLE.map(([, row]) => row), tokenizer = UNIGRAM, nested }: Made = {}) {
  const path = place()
  await mkdir(join(path, nested ?? ''), { recursive: true })
  if (nested)
    await writeFile(
      join(path, 'modules.json'),
      JSON.stringify([{ path: nested, type: 'sentence_transformers.models.StaticEmbedding' }]),
    )
  await writeFile(join(path, nested ?? '', 'tokenizer.json'), JSON.stringify(tokenizer))
  await writeFile(join(path, nested ?? '', 'model.safetensors'), safetensors(rows, dtype))
  return path
}

function safetensors(rows: readonly (readonly number[])[], dtype: string): Buffer {
  const floats = Float32Array.from(rows.flat())
  const halves = Uint16Array.from(new Uint32Array(floats.buffer), bits => bits >>> 16)
  const data = dtype === 'F32' ? floats : dtype === 'F16' ? Float16Array.from(floats) : halves
  const bytes = Buffer.from(data.buffer)
  const tensor = { dtype, shape: [rows.length, rows[0]?.length], data_offsets: [0, bytes.length] }
  const header = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, 'embedding.weight': tensor }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, bytes])
}

describe('a text is the mean of its tokens', () => {
  test.each(['F32', 'F16', 'BF16'] as const)('in English and Japanese, from a table of %s', async dtype => {
    const { embedDocuments } = localEmbeddings({ path: await model({ dtype }) })
    expect(await embedDocuments(['Where shall we EAT?', 'ピーナッツ', 'ﾋﾟｰﾅｯﾂ', '食べる', 'train', '…'])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ])
    const [both = []] = await embedDocuments(['eat train'])
    expect(both).toEqual([expect.closeTo(Math.SQRT1_2), expect.closeTo(Math.SQRT1_2)])
  })

  test('with the word pieces of BERT', async () => {
    const rows = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]
    const { embedDocuments } = localEmbeddings({ path: await model({ tokenizer: WORD_PIECE, rows }) })
    const half = expect.closeTo(Math.SQRT1_2)
    expect(await embedDocuments(['Eating', 'trains', '食車'])).toEqual([
      [half, 0, half],
      [0, half, half],
      [half, half, 0],
    ])
  })

  test('of a model that is given by its folder alone', async () => {
    expect(await localEmbeddings(await model()).embedDocuments(['eat'])).toEqual([[1, 0]])
    expect(localEmbeddings('./models/tiny').model).toBe('tiny')
    expect(localEmbeddings('team/tiny').model).toBe('team/tiny')
  })

  test('of fewer numbers, if that is asked for', async () => {
    const { embedDocuments } = localEmbeddings({ path: await model(), dimensions: 1 })
    expect(await embedDocuments(['eat', 'train'])).toEqual([[1], [0]])
  })
})

describe('a model that cannot be used is refused with its file', () => {
  test.each<[string, () => Promise<string>, RegExp]>([
    ['without its folder', async () => join(folder, 'none'), /model\.safetensors cannot be read/],
    ['without a tokenizer', async () => without(await model(), 'tokenizer.json'), /tokenizer\.json cannot be read/],
    ['with a tokenizer that is no JSON', async () => written(await model(), 'tokenizer.json', '{'), /tokenizer\.json is no JSON/],
    [
      'with a tokenizer of an unknown kind',
      () => model({ tokenizer: { model: { type: 'Oracle' } } }),
      /is no tokenizer that this package can read/,
    ],
    [
      'with a table that is no safetensors',
      async () => written(await model(), 'model.safetensors', 'x'.repeat(99)),
      /is no file of safetensors/,
    ],
    ['with an empty table', async () => written(await model(), 'model.safetensors', ''), /ends too early/],
    ['that was cut off', async () => cut(await model()), /ends too early/],
    ['with numbers of another kind', () => model({ dtype: 'I8' }), /has numbers of the kind I8/],
    ['with fewer rows than tokens', () => model({ rows: [[1, 0]] }), /knows 13 tokens, and the table of the model has 1/],
    [
      'with modules.json of another kind of model',
      async () => written(await model(), 'modules.json', '[{"type":"Transformer","path":""}]'),
      /names no static embedding/,
    ],
  ])('%s', async (_what, made, message) => {
    const { embedDocuments } = localEmbeddings({ path: await made() })
    const refused = { code: 'MODEL_FILES_INVALID', message: expect.stringMatching(message) }
    await expect(embedDocuments(['eat'])).rejects.toMatchObject(refused)
  })

  test('that has fewer numbers than are asked for', async () => {
    const { embedDocuments } = localEmbeddings({ path: await model(), dimensions: 256 })
    await expect(embedDocuments(['eat'])).rejects.toThrow('has vectors of 2 numbers, and 256 are asked for')
  })

  test('that has no name of Hugging Face', () => {
    expect(() => localEmbeddings({ model: '../secrets' })).toThrow('is not a model of Hugging Face')
  })
})

describe('a download', () => {
  test('is made once, whole and checked, from wherever the file is', async () => {
    await using hub = await serve(await model({ nested: '0_StaticEmbedding' }))
    const cache = place()
    const use = () => localEmbeddings({ model: 'team/tiny', hub: hub.url, cache })
    expect(use().model).toBe('team/tiny')
    const both = use()
    expect(await Promise.all([both.embedDocuments(['eat']), both.embedDocuments(['train'])])).toEqual([[[1, 0]], [[0, 1]]])
    expect(hub.asked.toSorted()).toEqual(
      ['0_StaticEmbedding/model.safetensors', '0_StaticEmbedding/tokenizer.json', 'modules.json'].map(
        file => `/team/tiny/resolve/main/${file}`,
      ),
    )
    expect(await use().embedDocuments(['食べる'])).toEqual([[1, 0]])
    expect(hub.asked).toHaveLength(3)
    expect(await readdir(cache)).toEqual(['team--tiny'])
  })

  test.each<[string, Fault, RegExp]>([
    ['that breaks off', 'cut', /terminated/],
    ['that arrives damaged', 'damaged', /it arrived damaged/],
    ['that is too large', 'large', /it has 2000000000 bytes, and 1073741824 are allowed/],
    ['of a model that does not exist', 'none', /there is no such file, so it is no static model/],
    ['from a hub that is down', 'down', /the answer is 503/],
  ])('%s leaves nothing, and is tried again', async (_what, fault, message) => {
    await using hub = await serve(await model())
    hub.fault = fault
    const cache = place()
    const { embedDocuments } = localEmbeddings({ model: 'team/tiny', hub: hub.url, cache })
    const refused = { code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(message) }
    await expect(embedDocuments(['eat'])).rejects.toMatchObject(refused)
    expect(await readdir(cache)).toEqual([])
    hub.fault = undefined
    expect(await embedDocuments(['eat'])).toEqual([[1, 0]])
  })
})

test('a whole bot finds by meaning with it', async () => {
  const embeddings = localEmbeddings({ path: await model() })
  await using bot = await testBot({ plugins: [facts()], models: { embeddings } })
  await bot.say('alice', 'ピーナッツ')
  await bot.say('bob', 'train')
  // Reading a file takes no time on the clock of the bot.
  await embeddings.embedDocuments(['train'])
  await bot.pass('10s')
  await expect.poll(async () => (await bot.db.query('select 1 from facts.vector')).rowCount).toBe(2)
  const { rows } = await bot.db.query<{ key: string }>('select key from facts.space')
  expect(rows).toEqual([{ key: `${embeddings.model}/2` }])
})

async function written(path: string, file: string, text: string): Promise<string> {
  await writeFile(join(path, file), text)
  return path
}

async function without(path: string, file: string): Promise<string> {
  await rm(join(path, file))
  return path
}

async function cut(path: string): Promise<string> {
  const file = join(path, 'model.safetensors')
  await truncate(file, (await readFile(file)).length - 1)
  return path
}

type Fault = 'cut' | 'damaged' | 'large' | 'none' | 'down'

/** Hugging Face with one model: a table is at another address, and its hash and size are in the first answer. */
async function serve(path: string) {
  const hub = { url: '', asked: [] as string[], fault: undefined as Fault | undefined }
  const server = createServer(async (request, response) => {
    const url = request.url ?? ''
    const file = url.replace(/^\/(?:team\/tiny\/resolve\/main|elsewhere)\//, '')
    if (!url.startsWith('/elsewhere/')) hub.asked.push(url)
    const bytes = await readFile(join(path, file)).catch(() => undefined)
    if (!bytes || (hub.fault === 'none' && file.endsWith('tokenizer.json'))) response.writeHead(404).end()
    else if (hub.fault === 'down') response.writeHead(503).end()
    else if (!file.endsWith('model.safetensors')) response.end(bytes)
    else if (url.startsWith('/elsewhere/')) table(response, bytes)
    else {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const size = hub.fault === 'large' ? 2_000_000_000 : bytes.length
      const headers = { location: `/elsewhere/${file}`, 'x-linked-etag': `"${hash}"`, 'x-linked-size': String(size) }
      response.writeHead(302, headers).end()
    }
  })
  function table(response: ServerResponse, bytes: Buffer): void {
    if (hub.fault === 'damaged') response.end(Buffer.from(bytes).fill(7, bytes.length - 4))
    else if (hub.fault !== 'cut') response.end(bytes)
    else {
      response.writeHead(200, { 'content-length': bytes.length })
      response.write(bytes.subarray(0, 20), () => response.destroy())
    }
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(hub, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  })
}
