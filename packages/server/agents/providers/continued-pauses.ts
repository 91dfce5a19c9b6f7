import type { AgentProvider, ProviderEvent, ProviderStep } from './provider.ts';

/** Maximum requests that continue one answer *(our choice)*. */
const MAX_CONTINUED = 8;

type Shown = Extract<ProviderEvent, { type: 'tool' | 'source' }>;

/**
 * Continues an answer that the vendor pauses while it runs tools of its own (PROVIDER-35): it gets back what it has said,
 * and goes on. The continuations are one answer: the usage is the sum, and the step has the blocks of all.
 */
export function withContinuedPauses(provider: AgentProvider): AgentProvider {
  return {
    async *stream(request, signal, heard) {
      let { steps = [] } = request;
      const answer = new Answer();
      for (let continued = 0; ; continued += 1) {
        let paused: ProviderStep | undefined;
        let asksForCalls = false;
        for await (const event of provider.stream({ ...request, steps }, signal, heard)) {
          asksForCalls ||= event.type === 'call';
          if (event.type === 'step' && !asksForCalls) paused = { blocks: event.blocks, results: [] };
          else if (event.type === 'end' && event.reason === 'paused' && asksForCalls)
            yield { type: 'end', reason: 'tools' };
          else if (event.type !== 'end' || !paused || continued === MAX_CONTINUED) yield* answer.of(event);
        }
        if (!paused || continued === MAX_CONTINUED) return;
        steps = [...(request.steps ?? []), paused];
        answer.goOn();
      }
    },
  };
}

/** What the continuations have brought together. */
class Answer {
  #before = { inputTokens: 0, outputTokens: 0 };
  #usage = { inputTokens: 0, outputTokens: 0 };
  /** What the requests before this one have shown, which a retry of this one does not take back. */
  readonly #kept: Shown[] = [];
  #shown: Shown[] = [];

  *of(event: ProviderEvent): Generator<ProviderEvent> {
    if (event.type === 'usage') {
      this.#usage = {
        inputTokens: this.#before.inputTokens + event.inputTokens,
        outputTokens: this.#before.outputTokens + event.outputTokens,
      };
      yield { type: 'usage', ...this.#usage };
      return;
    }
    if (event.type === 'tool' || event.type === 'source') this.#shown.push(event);
    yield event;
    if (event.type !== 'retry') return;
    this.#before = this.#usage = { inputTokens: 0, outputTokens: 0 };
    this.#shown = [];
    yield* this.#kept;
  }

  goOn(): void {
    this.#before = this.#usage;
    this.#kept.push(...this.#shown);
    this.#shown = [];
  }
}
