import type { LiveStream } from '../replies/live-stream.ts';
import { BYTES_PER_TOKEN } from '../replies/request-usage.ts';
import { estimateOfRequest } from '../rules/reply-estimates.ts';
import type { ProviderRequest } from './providers/provider.ts';
import type { StepTokens } from './tool-turns/step-units.ts';

/** Bytes sent to the provider, as far as they cost tokens (KEY-15). */
export function bytesAsked({ system = '', messages, tools = [], steps = [] }: ProviderRequest): number {
  const texts = [
    system,
    ...messages.map(({ text }) => text),
    ...[...tools, ...steps].map((one) => JSON.stringify(one)),
  ];
  const files = messages.flatMap((message) => message.files ?? []);
  return (
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    files.reduce((sum, { tokens }) => sum + tokens * BYTES_PER_TOKEN, 0)
  );
}

/** The tokens that a turn has used and not yet booked, and those that its next request may use (CALL-16). */
export function tokensOfStep({ request: usage, bytes }: LiveStream, request: ProviderRequest): StepTokens {
  const reported = usage.reported && usage.reported.input_tokens + usage.reported.output_tokens;
  const estimated = usage.estimate(bytes);
  const next = estimateOfRequest(bytesAsked(request), request.maxOutputTokens);
  return { reported: reported ?? 0, estimated, next };
}
