import { type Clock, pause } from '../../core/clock.ts';
import type { Awaitable } from '../../store/sql.ts';
import type { AgentProvider } from './provider.ts';

/** Delay between two checks. */
const AGAIN_MS = 1_000;

/**
 * Holds requests back while this node may be considered dead: another node may be about to repeat them (CLUSTER-39).
 */
export function whenSure(provider: AgentProvider, isSure: () => Awaitable<boolean>, clock: Clock): AgentProvider {
  return {
    async *stream(request, signal, heard) {
      while (!(await isSure())) await pause(clock, AGAIN_MS, signal);
      signal.throwIfAborted();
      yield* provider.stream(request, signal, heard);
    },
  };
}
