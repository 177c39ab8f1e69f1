import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** A process that has been sent a signal may need this long to end. */
const ENDING_MS = 2_000

/** Ends the child processes that this process still has, where /proc lists them. Returns their command lines. */
export async function endChildren(): Promise<string[]> {
  const until = performance.now() + ENDING_MS
  let children = await childrenOf(process.pid)
  while (children.length > 0 && performance.now() < until) {
    await setTimeout(50)
    children = await childrenOf(process.pid)
  }
  for (const { pid } of children) process.kill(pid, 'SIGKILL')
  return children.map(({ command }) => command)
}

/** Those that run, and are not only waited for. */
async function childrenOf(parent: number): Promise<{ pid: number; command: string }[]> {
  const threads = await readdir(`/proc/${parent}/task`).catch(() => [])
  const lists = await Promise.all(threads.map(thread => text(`/proc/${parent}/task/${thread}/children`)))
  const all = await Promise.all(
    lists
      .join(' ')
      .split(/\s+/)
      .filter(Boolean)
      .map(async pid => ({ pid: Number(pid), command: (await text(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ').trim() })),
  )
  // A process that has ended has no command line.
  return all.filter(({ command }) => command !== '')
}

const text = (path: string) => readFile(path, 'utf8').catch(() => '')
