import { pause, type Clock } from '../../core/clock.ts';
import { ProviderError, type AgentProvider } from './provider.ts';

interface RetryPolicy {
  /** Requests in all, the first one included. */
  attempts: number;
  baseMs: number;
  maxMs: number;
}

export const defaultRetries: RetryPolicy = { attempts: 3, baseMs: 500, maxMs: 8000 };

/** Longest wait before a retry: instead of an empty reply for longer than this, the human gets the error. */
const patienceMs = 10_000;

/** Retries only until the first text: after it, a second request would repeat text that the human has read. */
export function withRetries(
  provider: AgentProvider,
  policy: RetryPolicy,
  clock: Clock,
  random: () => number,
): AgentProvider {
  return {
    async *stream(request, signal, heard) {
      for (let attempt = 1; ; attempt += 1) {
        let hasText = false;
        // Its usage is booked, its thoughts and tools are taken back.
        let hasTraces = false;
        try {
          for await (const event of provider.stream(request, signal, heard)) {
            hasText ||= event.type === 'text' || event.type === 'picture';
            hasTraces ||= event.type !== 'text';
            yield event;
          }
          return;
        } catch (error) {
          signal.throwIfAborted();
          const isLast = hasText || attempt >= policy.attempts;
          if (isLast || !(error instanceof ProviderError) || !error.retryable) throw error;
          const askedMs = error.retryAfterMs ?? 0;
          if (askedMs > patienceMs) throw error;
          if (hasTraces) yield { type: 'retry' };
          await pause(clock, Math.max(askedMs, backoffMs(policy, attempt, random)), signal);
        }
      }
    },
  };
}

/**
 * Doubles with each attempt, with random jitter down to half, so that callers that failed together do not retry
 * together.
 */
function backoffMs(policy: RetryPolicy, attempt: number, random: () => number): number {
  const fullMs = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempt - 1));
  return Math.round(fullMs * (0.5 + random() / 2));
}
