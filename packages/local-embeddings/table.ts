/** The table of a static model, in the format safetensors: https://huggingface.co/docs/safetensors */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { invalid } from './files.ts'

export interface Table {
  readonly rows: number
  readonly dimensions: number
  /** The vector of a token. */
  row(token: number): Float32Array
}

/** Largest header, in bytes. That of a table has some hundred. */
const HEADER = 1024 * 1024

const BYTES: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2 }

interface Tensor {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly number[]
}

/**
 * The file stays open, and a row is read when it is needed: 130 MB in memory would save less than a millisecond for a text.
 * @throws MODEL_FILES_INVALID
 */
export function openTable(file: string, wanted?: number): Table {
  const descriptor = opened(file)
  try {
    return tableIn(file, descriptor, wanted)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'r')
  } catch (cause) {
    throw invalid(file, 'cannot be read', cause)
  }
}

function tableIn(file: string, descriptor: number, wanted: number | undefined): Table {
  const { size } = fstatSync(descriptor)
  const bytesAt = (position: number, length: number) => {
    const bytes = Buffer.alloc(length)
    if (readSync(descriptor, bytes, 0, length, position) !== length) throw invalid(file, 'ends too early')
    return bytes
  }
  if (size < 8) throw invalid(file, 'ends too early')
  const header = Number(bytesAt(0, 8).readBigUInt64LE())
  if (header > HEADER || header > size - 8) throw invalid(file, 'is no file of safetensors')
  const { dtype, shape, start, end } = tensorOf(file, bytesAt(8, header).toString())
  const [rows = 0, all = 0] = shape
  const bytes = BYTES[dtype]
  if (bytes === undefined) throw invalid(file, `has numbers of the kind ${dtype}; F32, F16 and BF16 can be read`)
  if (shape.length !== 2 || rows < 1 || all < 1 || end - start !== rows * all * bytes) {
    throw invalid(file, `has a table of the shape ${shape.join(' × ')} in ${end - start} bytes`)
  }
  if (size < 8 + header + end) throw invalid(file, 'ends too early')
  const dimensions = wanted ?? all
  if (dimensions > all || dimensions < 1 || !Number.isInteger(dimensions)) {
    throw invalid(file, `has vectors of ${all} numbers, and ${dimensions} are asked for`)
  }
  const first = 8 + header + start
  return {
    rows,
    dimensions,
    row: token => numbersIn(bytesAt(first + token * all * bytes, dimensions * bytes), dtype),
  }
}

function tensorOf(file: string, header: string) {
  let tensors: Readonly<Record<string, Partial<Tensor>>>
  try {
    tensors = JSON.parse(header)
  } catch (cause) {
    throw invalid(file, 'is no file of safetensors', cause)
  }
  const names = Object.keys(tensors).filter(name => name !== '__metadata__')
  const [name = ''] = names
  // Some models of model2vec share rows between tokens, or weigh them. They have tensors for it.
  if (names.length !== 1) throw invalid(file, `has the tensors ${names.join(', ')}; one table is expected`)
  const { dtype = '', shape = [], data_offsets: [start = 0, end = 0] = [] } = tensors[name] ?? {}
  return { dtype, shape, start, end }
}

function numbersIn(bytes: Buffer, dtype: string): Float32Array {
  const { buffer, byteOffset, length } = bytes
  if (dtype === 'F32') return new Float32Array(buffer, byteOffset, length / 4)
  if (dtype === 'F16') return Float32Array.from(new Float16Array(buffer, byteOffset, length / 2))
  // The upper half of a number of 32 bits.
  const halves = new Uint16Array(buffer, byteOffset, length / 2)
  return new Float32Array(Uint32Array.from(halves, half => half << 16).buffer)
}
