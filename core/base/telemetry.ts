import { type Attributes, context, createContextKey, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { KikimimiError } from './errors.ts'

/** Costs almost nothing without an SDK of OpenTelemetry in the process. */
const tracer = trace.getTracer('kikimimi')

/**
 * Runs in a span. A failed span has the code or the name of the error, not its message, because a message can quote people.
 */
export function inSpan<T>(name: string, attributes: Attributes, run: (span: Span) => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async span => {
    try {
      return await run(span)
    } catch (error) {
      const type = error instanceof KikimimiError ? error.code : error instanceof Error ? error.name : 'unknown'
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR, message: type })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The SDK suppresses tracing in a context with this key. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** Runs without spans: trial work, such as a replay, is no work of the bot. */
export function untraced<T>(run: () => T): T {
  return context.with(context.active().setValue(SUPPRESSED, true), run)
}
