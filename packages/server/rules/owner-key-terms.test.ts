import { limits } from '@parley/protocol';
import { expect, test } from 'vitest';
import { buildContext, contextLimits } from './conversation-context.ts';
import { DEFAULT_ASKER_DAILY_TOKENS, mostTokensOfReply, mustWait } from './owner-key-terms.ts';

test('KEY-12: the estimated maximum of tokens is at least a third of the bytes of the longest request', () => {
  const sender = { senderUsername: 'u'.repeat(32), senderDisplayName: '語' };
  const short = Array.from({ length: 100 }, () => ({ ...sender, content: '語'.repeat(600) }));
  const long = [{ ...sender, content: '語'.repeat(40_000) }];
  for (const messages of [short, long]) {
    const entries = buildContext(messages, { agentUsername: 'a:b', isGroup: true, ...contextLimits });
    const bytes = entries.reduce((sum, { text, from = '' }) => sum + Buffer.byteLength(text + from), 0);
    expect(bytes).toBeGreaterThan(60_000);
    expect(mostTokensOfReply('7')).toBeGreaterThanOrEqual((bytes + limits.settingTextBytes) / 3 + 7);
  }
});

test('KEY-12: with default terms, an asker who has used no tokens today can run four replies at once', () => {
  expect(mustWait(3, 0, DEFAULT_ASKER_DAILY_TOKENS, mostTokensOfReply(undefined))).toBe(false);
});
