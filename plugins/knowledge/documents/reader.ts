/** Reads documents with a worker that lives as long as the reading. */
import { Worker } from 'node:worker_threads'
import type { Passage } from './passages.ts'
import type { DocumentKind } from './sections.ts'
import { Unreadable } from './unreadable.ts'
import type { WorkerJob } from './worker.ts'

/** The largest document, in bytes. */
export const MOST_BYTES = 10 * 1024 * 1024

/** Megabytes and milliseconds that one document may take. */
const MEMORY_MB = 256
const PATIENCE_MS = 60_000

export interface ReadDocument {
  readonly title: string
  readonly passages: readonly Passage[]
}

export interface Reader extends AsyncDisposable {
  /** @throws Error with the reason, for people, when the document cannot be read */
  read(kind: DocumentKind, bytes: Uint8Array): Promise<ReadDocument>
}

/** Reads one document at a time. */
export function createReader(): Reader {
  let worker: Worker | undefined

  async function stop(): Promise<void> {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  return {
    async read(kind, bytes) {
      if (bytes.length > MOST_BYTES) throw new Unreadable(tooLarge(bytes.length))
      worker ??= new Worker(new URL('./worker.ts', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
        // A library that reads files of strangers needs neither keys nor our output.
        env: {},
        execArgv: [],
        stdout: true,
        stderr: true,
      })
      const running = worker
      const { promise, resolve } = Promise.withResolvers<ReadDocument | { readonly problem: string }>()
      const failed = () => resolve({ problem: 'it is damaged, or needs too much memory' })
      const late = setTimeout(() => resolve({ problem: `it takes more than ${PATIENCE_MS / 1_000} s to read` }), PATIENCE_MS)
      running.once('message', resolve).once('error', failed).once('exit', failed)
      try {
        running.postMessage({ kind, bytes } satisfies WorkerJob)
        const result = await promise
        if ('problem' in result) {
          await stop()
          throw new Unreadable(result.problem)
        }
        return result
      } finally {
        clearTimeout(late)
        running.off('message', resolve).off('error', failed).off('exit', failed)
      }
    },

    [Symbol.asyncDispose]: stop,
  }
}

export function tooLarge(bytes: number): string {
  return `it has ${Math.ceil(bytes / 1024 / 1024)} MB, and more than ${MOST_BYTES / 1024 / 1024} MB are not read`
}
