/** The files of a zip archive, by name. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
import { crc32, inflateRawSync } from 'node:zlib'
import { invalid } from './invalid.ts'

const ENTRY = 0x02014b50
const ENTRY_SIZE = 46
/** The record at the end has 22 bytes and a comment of up to 65,535. */
const END_SIZE = 22
const LONGEST_END = END_SIZE + 65_535
/** In place of a number that does not fit: the archive is larger than 4 GB, or has more than 65,534 files. */
const ELSEWHERE = 0xffff_ffff

/**
 * The content of each file is a function, because few of them are read. Throws for an archive that is damaged or too large.
 *
 * @param most bytes of all files that are read, unpacked. Default: unlimited
 */
export function filesInZip(zip: Buffer, most = Number.POSITIVE_INFINITY): ReadonlyMap<string, () => Buffer> {
  const files = new Map<string, () => Buffer>()
  let unpacked = 0
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  const record = zip.subarray(end)
  if (end < Math.max(0, zip.length - LONGEST_END) || record.length < END_SIZE) throw invalid('it is no complete zip archive')
  const count = record.readUInt16LE(10)
  let at = record.readUInt32LE(16)
  if (at === ELSEWHERE || count === 0xffff) throw invalid('the archive is too large: unpack it and give the folder')
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_SIZE > end || zip.readUInt32LE(at) !== ENTRY) throw invalid('the list of files in the archive is damaged')
    const [method, packed, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    const local = zip.readUInt32LE(at + 42)
    const sum = zip.readUInt32LE(at + 16)
    const path = zip.toString('utf8', at + ENTRY_SIZE, at + ENTRY_SIZE + name)
    files.set(path, () => {
      const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const data = zip.subarray(begin, begin + packed)
      if (method !== 0 && method !== 8)
        throw invalid(`the archive is packed in a way that cannot be read (method ${method}): unpack it and give the folder`)
      unpacked += size
      if (unpacked > most) throw invalid(`the archive unpacks to more than ${Math.round(most / 2 ** 20)} MB`)
      const content = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
      if (crc32(content) !== sum) throw invalid('the file in the archive is damaged')
      return content
    })
    at += ENTRY_SIZE + name + extra + comment
  }
  if (at > end) throw invalid('the list of files in the archive is damaged')
  return files
}
