import type { Clock, Timer } from '../../core/clock.ts';
import { ProviderError, type AgentProvider, type ProviderEvent } from './provider.ts';

interface TimeLimits {
  /** Maximum wait for the first bytes. */
  firstByteMs: number;
  /** Maximum silence between two chunks. */
  silenceMs: number;
  /** Maximum time for the whole reply: a vendor that only sends pings must not keep a turn open forever. */
  totalMs?: number;
}

export const defaultTimeLimits: TimeLimits = { firstByteMs: 30_000, silenceMs: 60_000, totalMs: 30 * 60_000 };

/** Counts only the time spent waiting for the provider, not the time that the reader takes between two events. */
export function withTimeLimits(provider: AgentProvider, limits: TimeLimits, clock: Clock): AgentProvider {
  return {
    async *stream(request, signal, heard) {
      signal.throwIfAborted();
      const expiry = new AbortController();
      const either = AbortSignal.any([signal, expiry.signal]);
      const expire = (message: string) => (): void => expiry.abort(new ProviderError('timeout', message));
      let fail: ((reason: unknown) => void) | undefined;
      either.addEventListener('abort', () => fail?.(either.reason), { once: true });

      let isAlive = false;
      let isWaiting = false;
      let silence: Timer | undefined;
      const listen = (): void => {
        silence?.cancel();
        silence = isAlive
          ? clock.setTimer(expire(`The provider fell silent for ${limits.silenceMs / 1000} s.`), limits.silenceMs)
          : clock.setTimer(
              expire(`The provider gave no answer within ${limits.firstByteMs / 1000} s.`),
              limits.firstByteMs,
            );
      };
      const onHeard = (): void => {
        isAlive = true;
        if (isWaiting) listen();
        heard?.();
      };

      const events = provider.stream(request, either, onHeard)[Symbol.asyncIterator]();
      const whole =
        limits.totalMs === undefined
          ? undefined
          : clock.setTimer(
              expire(`The provider did not finish within ${limits.totalMs / 60_000} min.`),
              limits.totalMs,
            );
      try {
        for (;;) {
          either.throwIfAborted();
          isWaiting = true;
          listen();
          // Race the provider against the limits: they must hold even for a provider that ignores its signal.
          const next = await new Promise<IteratorResult<ProviderEvent, unknown>>((resolve, reject) => {
            fail = reject;
            events.next().then(resolve, reject);
          });
          isWaiting = false;
          silence?.cancel();
          if (next.done === true) return;
          isAlive = true;
          yield next.value;
        }
      } finally {
        isWaiting = false;
        silence?.cancel();
        whole?.cancel();
        // Not awaited: a provider that hangs would never resolve it.
        expiry.abort();
        events.return?.().catch(() => {});
      }
    },
  };
}
