import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const gc: (how: object) => void = runInNewContext('gc')

/** Bytes in use after garbage collection, which also removes compiled code that has not run for a while. */
export function heapInUse(): number {
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return v8.getHeapStatistics().used_heap_size
}
