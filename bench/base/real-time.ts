/** Jobs that take real time, such as a backup and the reading of files. The clock that a measurement moves has to wait for them. */
import type { Plugin } from 'kikimimi'
import type { Steps } from '../../core/base/clock.ts'

export interface RealTime {
  /** The plugin, with jobs that the steps wait for. */
  plugin(plugin: Plugin): Plugin
  steps(steps: Steps): Steps
}

export function createRealTime(): RealTime {
  let running: Promise<unknown> = Promise.resolve()
  return {
    plugin: ({ definition, ...rest }) => ({
      ...rest,
      definition: {
        ...definition,
        setup(ctx, options) {
          const job: typeof ctx.job = (name, run, how) =>
            ctx.job(
              name,
              (payload: Parameters<typeof run>[0], signal) => {
                const done = (async () => run(payload, signal))()
                running = Promise.allSettled([running, done])
                return done
              },
              how,
            )
          return definition.setup({ ...ctx, job }, options)
        },
      },
    }),
    steps: steps => ({
      ...steps,
      async settle() {
        await steps.settle()
        for (let before: unknown; before !== running; ) {
          before = running
          await running
          await steps.settle()
        }
      },
    }),
  }
}
