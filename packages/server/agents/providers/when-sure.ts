import { type Clock, pause } from '../../core/clock.ts';
import type { Awaitable } from '../../store/sql.ts';
import type { AgentProvider } from './provider.ts';

const AGAIN_MS = 1_000;

/** Asks nothing of a vendor while another node may be about to ask the same in this one's place (CLUSTER-39). */
export function whenSure(provider: AgentProvider, isSure: () => Awaitable<boolean>, clock: Clock): AgentProvider {
  return {
    async *stream(request, signal, heard) {
      while (!(await isSure())) await pause(clock, AGAIN_MS, signal);
      signal.throwIfAborted();
      yield* provider.stream(request, signal, heard);
    },
  };
}
