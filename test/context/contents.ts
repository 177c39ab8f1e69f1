/** Contents of files. */
import { constants, deflateRawSync } from 'node:zlib'
import { GifWriter } from 'omggif'

const MB = 1024 * 1024

export const PNG = Buffer.from('iVBORw0KGgo=', 'base64')
export const VOICE = Buffer.from('OggS and then sounds \xff\xfe', 'latin1')
export const ZIP = Buffer.from('PK\x03\x04\x14\0\0\0\xff\xfe', 'latin1')

export function gif(): Buffer {
  const bytes = Buffer.alloc(1024)
  const writer = new GifWriter(bytes, 2, 1, { palette: [0xff0000, 0x0000ff] })
  writer.addFrame(0, 0, 2, 1, [0, 1])
  return bytes.subarray(0, writer.end())
}

/** A PDF file of one page with one line. */
export const pdf = (line: string) => pdfOf(Buffer.from(`BT /F 12 Tf 50 700 Td (${line}) Tj ET`))

/** A PDF file whose page is so many megabytes of spaces, compressed. */
export function pdfBomb(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(megabytes).fill(block), Buffer.from([3, 0])])
  return pdfOf(content, '/Filter /FlateDecode')
}

export function large(start: Buffer, megabytes: number): Buffer {
  const bytes = Buffer.alloc(megabytes * MB)
  start.copy(bytes)
  return bytes
}

function pdfOf(content: Buffer, filter = ''): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents 5 0 R >>',
    Buffer.concat([Buffer.from(`<< ${filter} /Length ${content.length} >>\nstream\n`), content, Buffer.from('\nendstream')]),
  ]
  let file = Buffer.from('%PDF-1.7\n')
  const places = objects.map((object, at) => {
    const place = file.length
    file = Buffer.concat([file, Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  const end = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.concat([file, Buffer.from(table + end)])
}
