import { BYTES_PER_TOKEN } from '../replies/request-usage.ts';
import type { ProviderRequest } from './providers/provider.ts';

/** Bytes sent to the provider, as far as they cost tokens (KEY-15). */
export function bytesAsked({ system = '', messages }: ProviderRequest): number {
  const texts = [system, ...messages.map(({ text }) => text)];
  const files = messages.flatMap((message) => message.files ?? []);
  return (
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    files.reduce((sum, { tokens }) => sum + tokens * BYTES_PER_TOKEN, 0)
  );
}
