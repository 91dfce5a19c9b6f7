import { BYTES_PER_TOKEN } from '../replies/request-usage.ts';
import type { ProviderRequest } from './providers/provider.ts';

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
