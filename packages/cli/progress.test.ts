import { expect, test } from 'vitest'
import { counted, createProgress } from './progress.ts'

function screenOf(isTTY: boolean) {
  const shown: string[] = []
  return { isTTY, shown, write: (text: string) => shown.push(text) }
}

test('at a terminal one line shows the progress, and disappears at the end', () => {
  const screen = screenOf(true)
  {
    using progress = createProgress(screen)
    for (let rows = 1_000; rows <= 2_000; rows++) progress.show(counted(rows, 'rows'))
    expect(screen.shown).toEqual(['\r\u001b[K1,000 rows'])
  }
  expect(screen.shown.at(-1)).toBe('\r\u001b[K')
})

test('on a pipe nothing is shown', () => {
  const screen = screenOf(false)
  {
    using progress = createProgress(screen)
    progress.show('1 row')
  }
  expect(screen.shown).toEqual([])
})
