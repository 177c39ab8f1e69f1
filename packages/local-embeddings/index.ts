/** A static embedding model: the vector of a text is the mean of the vectors of its tokens. It needs no key and no runtime. */
import { basename } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { download } from './download.ts'
import { invalid, moduleFile, parsed, textOf } from './files.ts'
import { openTable } from './table.ts'

export interface LocalEmbeddingsOptions {
  /** A folder with `model.safetensors` and `tokenizer.json`. Absent: `model` is downloaded. */
  readonly path?: string
  /**
   * A static model on Hugging Face, `owner/name`. It is downloaded at its first use. Default: {@link DEFAULT_MODEL}, for Japanese
   * and English, 134 MB, MIT license.
   */
  readonly model?: string
  /** Numbers in each vector. Default: all of the model. A model that was trained for it (Matryoshka) can be cut: 1024 → 256. */
  readonly dimensions?: number
  /** Folder for downloads. Default: `models` in KIKIMIMI_CACHE, or in `.cache`. */
  readonly cache?: string
  /** Address of Hugging Face, or of a mirror. Default: `https://huggingface.co`. */
  readonly hub?: string
}

/** A model for `models.embeddings` in bot.config.ts. */
export interface LocalEmbeddings {
  /** The name of the model. */
  readonly model: string
  /**
   * Returns one vector of length 1 for each text, or of zeros for a text without tokens.
   * @throws MODEL_UNAVAILABLE if the download fails, MODEL_FILES_INVALID if a file is missing or damaged
   */
  embedDocuments(texts: readonly string[]): Promise<number[][]>
}

/** https://huggingface.co/hotchpotch/static-embedding-japanese */
export const DEFAULT_MODEL = 'hotchpotch/static-embedding-japanese'

/**
 * The files are read at the first use. A text is a folder that begins with `.` or `/`, or the name of a model. The table stays on the disk: a text reads the rows of its tokens.
 * @throws ARGUMENT_INVALID for a name that no model can have
 */
export function localEmbeddings(given: string | LocalEmbeddingsOptions = {}): LocalEmbeddings {
  const options = typeof given === 'string' ? optionsOf(given) : given
  const { path, model = DEFAULT_MODEL, dimensions } = options
  if (path === undefined && !/^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(model)) {
    throw new KikimimiError(
      'ARGUMENT_INVALID',
      `"${model}" is not a model of Hugging Face. Give "owner/name", or a folder as path.`,
    )
  }
  let loading: Promise<Loaded> | undefined
  const loaded = () => {
    // A failed download is tried again at the next use.
    loading ??= load(path ?? download({ ...options, model }), dimensions).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    model: path === undefined ? model : basename(path),
    async embedDocuments(texts) {
      const { embed } = await loaded()
      return texts.map(embed)
    },
  }
}

/** A text that begins like a path is a folder: `./models/tiny`, `/models/tiny`. */
function optionsOf(text: string): LocalEmbeddingsOptions {
  return /^\.{0,2}\//.test(text) ? { path: text } : { model: text }
}

interface Loaded {
  embed(text: string): number[]
}

async function load(from: string | Promise<string>, dimensions: number | undefined): Promise<Loaded> {
  const folder = await from
  const table = openTable(await moduleFile(folder, 'model.safetensors'), dimensions)
  const file = await moduleFile(folder, 'tokenizer.json')
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const rules = parsed(await textOf(file), file)
  let tokenizer: InstanceType<typeof Tokenizer>
  try {
    tokenizer = new Tokenizer(Object(rules), {})
  } catch (cause) {
    throw invalid(file, 'is no tokenizer that this package can read', cause)
  }
  const known = [...tokenizer.get_vocab().values()].reduce((most, id) => Math.max(most, id), 0) + 1
  if (known > table.rows) throw invalid(file, `knows ${known} tokens, and the table of the model has ${table.rows}`)
  return {
    embed: text => mean(tokenizer.encode(text, { add_special_tokens: false }).ids.map(table.row), table.dimensions),
  }
}

function mean(rows: readonly Float32Array[], dimensions: number): number[] {
  const sum = new Float64Array(dimensions)
  for (const row of rows) for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + (row[at] ?? 0)
  const length = Math.hypot(...sum) || 1
  return Array.from(sum, value => value / length)
}
