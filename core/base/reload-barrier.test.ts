import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from './clock.ts'
import { createReloadBarrier, type ReloadBarrier } from './reload-barrier.ts'

describe('a gate', () => {
  let clock: VirtualClock
  let gate: ReloadBarrier
  beforeEach(() => {
    clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
    gate = createReloadBarrier(clock)
  })

  const settle = async () => {
    for (let round = 0; round < 5; round++) await setImmediate()
  }
  const pass = (ms: number) => clock.advance(clock.now() + ms, { settle })
  const turns = (kind: string) => kind === 'turn'

  it('blocks one kind while others pass', async () => {
    const passed: string[] = []
    const release = await gate.hold(turns, 1_000)
    const held = gate.pass('turn', async () => void passed.push('turn'))
    await gate.pass('job', async () => void passed.push('job'))
    expect(passed).toEqual(['job'])
    release()
    await held
    expect(passed).toEqual(['job', 'turn'])
  })

  it('waits for running work, and not for later work', async () => {
    const open = Promise.withResolvers<void>()
    const before = gate.pass('turn', () => open.promise)
    let isHeld = false
    const holding = gate.hold(turns, 1_000).then(release => {
      isHeld = true
      return release
    })
    const after = gate.pass('turn', async () => expect(isHeld).toBe(true))
    await settle()
    expect(isHeld).toBe(false)
    open.resolve()
    const release = await holding
    release()
    await Promise.all([before, after])
  })

  it('aborts work that takes too long, and stops waiting when the work ignores its signal', async () => {
    const heard: boolean[] = []
    const deaf = gate.pass('turn', async signal => {
      signal.addEventListener('abort', () => heard.push(true))
      await new Promise(() => {})
    })
    const other = Promise.withResolvers<void>()
    const job = gate.pass('job', signal => other.promise.then(() => expect(signal.aborted).toBe(false)))
    let isHeld = false
    void gate.hold(turns, 1_000).then(() => {
      isHeld = true
    })
    await pass(999)
    expect({ heard, isHeld }).toEqual({ heard: [], isHeld: false })
    await pass(1)
    expect({ heard, isHeld }).toEqual({ heard: [true], isHeld: false })
    await pass(1_000)
    expect(isHeld).toBe(true)
    other.resolve()
    await job
    expect(await Promise.race([deaf, 'for ever'])).toBe('for ever')
  })

  it('opens when the last hold is released', async () => {
    const [first, second] = [await gate.hold(turns, 1_000), await gate.hold(turns, 1_000)]
    let isThrough = false
    const held = gate.pass('turn', async () => {
      isThrough = true
    })
    first()
    await settle()
    expect(isThrough).toBe(false)
    second()
    await held
  })
})
