/** What JavaScript can do where TypeScript would not let it. */

/** Whatever is asked of it, it throws. */
export function trap(): object {
  const sprung = () => {
    throw new Error('sprung')
  }
  return new Proxy({}, { get: sprung, has: sprung, ownKeys: sprung })
}

function circular(): object {
  const knot: Record<string, unknown> = {}
  knot.itself = knot
  return knot
}

/** All that can be thrown: mostly no errors, and none that is fit to be printed. */
export function thrown(): readonly unknown[] {
  return [
    new Error('broken'),
    Object.assign(new Error('broken'), { message: 42 }),
    Object.defineProperty(new Error('broken'), 'message', { get: () => trap() }),
    new Error('broken '.repeat(100_000)),
    '',
    undefined,
    circular(),
    trap(),
  ]
}

/** What no stage takes for an answer. */
export function nonsense(): readonly unknown[] {
  return [42, Number.NaN, [[]], {}, Symbol('nonsense'), circular(), trap(), thenable()]
}

/** It looks like a promise. */
function thenable(): object {
  return Object.defineProperty({}, 'then', { get: () => trap() })
}
