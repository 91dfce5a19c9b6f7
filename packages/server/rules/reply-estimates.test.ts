import { limits } from '@parley/protocol';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { roomIn } from './budgets.ts';
import { entriesToContinue } from './continued-replies.ts';
import { buildContext, contextLimits } from './conversation-context.ts';
import { DEFAULT_ASKER_DAILY_TOKENS } from './owner-key-terms.ts';
import { estimateOfReply, mostTokensOfReply, type ReplyFacts } from './reply-estimates.ts';
import { roomBeside, summaryLimits, summaryNote, summaryRequest, summaryText, transcriptOf } from './summaries.ts';

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

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
/** A third of the bytes of the longest context with files, and of the longest system prompt. */
const longestContext = (contextLimits.maxCharacters * 3 + limits.settingTextBytes) / 3 + 15_000;

test('KEY-12, SUMMARY-10: the estimate has room for a summary in the request, and for the request that makes it', () => {
  const lines = Array.from({ length: 3_000 }, () => '語').join('\n');
  const note = summaryNote({ text: summaryText(lines), messages: 999_999, isWhole: false, leftOut: 999 });
  const message = { senderUsername: 'u', senderDisplayName: '語', content: '語'.repeat(2_000) };
  const former = '語'.repeat(4_000);
  const transcript = transcriptOf(
    Array.from({ length: 400 }, () => message),
    roomBeside(former),
  );
  const { system, text } = summaryRequest('a'.repeat(64), transcript, former);
  expect(Buffer.byteLength(text)).toBeGreaterThan(40_000);
  const most = longestContext + bytesOf([note, system, text]) / 3 + summaryLimits.outputTokens;
  expect(mostTokensOfReply('7')).toBeGreaterThanOrEqual(most + 7);
});

test('KEY-12: the estimate has room for the text that a continued reply sends again (CONTINUE-6)', () => {
  const again = entriesToContinue('語'.repeat(80_000)).map(({ text }) => text);
  expect(bytesOf(again)).toBeGreaterThan(32_000);
  expect(mostTokensOfReply('7')).toBeGreaterThanOrEqual(longestContext + bytesOf(again) / 3 + 7);
});

/** A reply with a usual conversation: 40 messages of 400 bytes, whose records have as many bytes of their own. */
const usual: ReplyFacts = {
  messages: 41,
  bytes: 41 * 1_000,
  hasFiles: false,
  isInThread: false,
  context: { messages: contextLimits.maxMessages, characters: contextLimits.maxCharacters, files: true },
  systemBytes: 2_000,
  outputTokens: undefined,
  isContinued: false,
  isGuest: true,
};

test('BUDGET-7: with default terms, an asker who has used no tokens today can run four replies at once', () => {
  const budget = { of: 'asker', tokens: DEFAULT_ASKER_DAILY_TOKENS } as const;
  for (const facts of [usual, { ...usual, hasFiles: true }, { ...usual, isContinued: true }, { ...usual, messages: 3 }])
    expect(roomIn(budget, { used: 0, reserved: 3 * estimateOfReply(facts) })).toBe('free');
});

test('BUDGET-7: no estimate for another human is above the most that KEY-12 names, and no known fact lowers it', () => {
  const facts = fc.record({
    messages: fc.nat(60),
    bytes: fc.nat(300_000),
    hasFiles: fc.boolean(),
    isInThread: fc.boolean(),
    systemBytes: fc.nat(limits.settingTextBytes),
    isContinued: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (some) => {
      const given = { ...usual, ...some };
      const estimate = estimateOfReply(given);
      expect(estimate).toBeLessThanOrEqual(mostTokensOfReply(undefined));
      for (const more of [{ bytes: given.bytes + 300 }, { systemBytes: given.systemBytes + 300 }, { hasFiles: true }])
        expect(estimateOfReply({ ...given, ...more })).toBeGreaterThanOrEqual(estimate);
    }),
  );
  expect(mostTokensOfReply('0')).toBe(87_219);
});
