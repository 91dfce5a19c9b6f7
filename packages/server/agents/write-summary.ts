import type { Clock } from '../core/clock.ts';
import { SUMMARY_PROGRESS, summaryLimits } from '../rules/summaries.ts';
import { bytesAsked } from './bytes-asked.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import { type AgentProvider, type EndReason, ProviderError, type ProviderRequest } from './providers/provider.ts';

/** How long a reply waits for a summary. */
const PATIENCE_MS = 20_000;
const PROGRESS = {
  id: SUMMARY_PROGRESS,
  type: 'progress',
  text: 'Reading earlier messages…',
  cause: { kind: 'summarizing' },
} as const;

/** Ends with which the model has written its summary, as far as it goes. */
const WRITTEN: ReadonlySet<EndReason> = new Set<EndReason>(['stop', 'length', 'unconfirmed']);

interface WriteSummaryNeeds {
  clock: Clock;
  /** Books the usage of a request that is not the reply's last one. */
  bookUsage: (stream: LiveStream, estimatedTokens: number) => void;
}

/**
 * Asks a model for a summary, before the reply's own request. It is booked as a request that is repeated; if the turn is
 * stopped meanwhile, the end of the reply books it (SUMMARY-10).
 */
export async function writeSummary(
  { clock, bookUsage }: WriteSummaryNeeds,
  { stream, provider, request }: { stream: LiveStream; provider: AgentProvider; request: ProviderRequest },
  signal: AbortSignal,
): Promise<string> {
  const patience = new AbortController();
  const timer = clock.setTimer(
    () => patience.abort(new ProviderError('timeout', 'The summary took too long.')),
    PATIENCE_MS,
  );
  stream.request.ask(bytesAsked(request));
  let text = '';
  let isOver = false;
  try {
    stream.putPart({ ...PROGRESS, offset: stream.bytes });
    for await (const event of provider.stream(request, AbortSignal.any([signal, patience.signal]))) {
      if (event.type === 'text') {
        text += event.text;
        stream.request.receive(Buffer.byteLength(event.text));
        // A model that writes far too much is not listened to.
        if (text.length > 2 * summaryLimits.characters) break;
      } else if (event.type === 'usage')
        stream.request.report({ input_tokens: event.inputTokens, output_tokens: event.outputTokens });
      else if (event.type === 'retry') bookUsage(stream, 0);
      else if (event.type === 'end') {
        isOver = true;
        // The model was filtered, or has done something else: what it has written is no summary.
        if (!WRITTEN.has(event.reason)) text = '';
      }
    }
    return text;
  } finally {
    timer.cancel();
    // A reply that is stopped now must have no parts: it is deleted.
    stream.clearParts();
    if (!signal.aborted) {
      // KEY-15: tokens are estimated unless the provider has reported them, or has refused the request.
      const isRefused = !isOver && text === '' && !patience.signal.aborted;
      const isReported = isOver && stream.request.reported !== null;
      bookUsage(stream, isRefused || isReported ? 0 : stream.estimatedTokens);
      stream.request.end();
    }
  }
}
