/** Values that JavaScript allows and TypeScript does not. */

/** An object that throws on any access. */
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

/** Values that can be thrown. Most are no errors, and none can be printed safely. */
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

/** Values that no stage accepts. */
export function nonsense(): readonly unknown[] {
  return [42, Number.NaN, [[]], {}, Symbol('nonsense'), circular(), trap(), thenable()]
}

/** An object that looks like a promise. */
function thenable(): object {
  return Object.defineProperty({}, 'then', { get: () => trap() })
}
