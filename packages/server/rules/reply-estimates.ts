// How many tokens a reply may use, estimated before its request is made: what its turn reserves of budgets (BUDGET-7).
import { type AgentContext, limits } from '@parley/protocol';
import { titleLimits } from './chat-titles.ts';
import { fileLimits } from './context-files.ts';
import { isFullContext } from './context-notice.ts';
import { MAX_OWN_BYTES } from './continued-replies.ts';
import { contextLimits } from './conversation-context.ts';
import { DEFAULT_OUTPUT_TOKENS } from './owner-key-terms.ts';
import { summaryLimits } from './summaries.ts';

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/**
 * Lower bound of bytes per token: a division by it may give too many tokens, never too few. English has 4, Chinese 3.
 */
const BYTES_PER_TOKEN = 3;
/** Tokens per message beside its text: the role, and the sender's name as a field. */
const TOKENS_BESIDE_MESSAGE = 100;
/** Bytes of the service's own texts in a request beside messages: instructions, notes and fences. */
const BYTES_OF_FRAME = 3_000;
const tokensOf = (bytes: number, messages: number): number =>
  Math.ceil(bytes / BYTES_PER_TOKEN) + messages * TOKENS_BESIDE_MESSAGE;

/** Maximum tokens of a request for a summary, input and output together. */
const SUMMARY_REQUEST_TOKENS = tokensOf(summaryLimits.requestBytes + BYTES_OF_FRAME, 1) + summaryLimits.outputTokens;
/** Maximum tokens of a summary in a request. */
const SUMMARY_TOKENS = tokensOf(summaryLimits.characters * BYTES_PER_UNIT, 0);
/** Maximum tokens of the text that a continued reply sends again. */
const CONTINUED_TOKENS = tokensOf(MAX_OWN_BYTES + BYTES_OF_FRAME, 2);

/** Maximum tokens of a request for a title, input and output together (TITLE-2). */
export const TITLE_TOKENS =
  tokensOf(2 * titleLimits.sampleUnits * BYTES_PER_UNIT + BYTES_OF_FRAME, 1) + titleLimits.outputTokens;

/** Estimated maximum of tokens, input and output together, of a request of that size. */
export const estimateOfRequest = (bytes: number, outputTokens: number | undefined): number =>
  tokensOf(bytes, 0) + (outputTokens ?? DEFAULT_OUTPUT_TOKENS);

/** What is known of a reply before its request is made. */
export interface ReplyFacts {
  /** Of the newest messages of the timeline, one more than the model may receive: their number, and their records' bytes. */
  messages: number;
  bytes: number;
  /** Whether one of them has a file. */
  hasFiles: boolean;
  /** Whether the root of a thread, whose bytes are not among them, comes first. */
  isInThread: boolean;
  /** What the model may receive of the conversation. */
  context: AgentContext;
  /** Bytes of the system prompt. */
  systemBytes: number;
  /** `max_output_tokens`, if the turn has one. */
  outputTokens: number | undefined;
  /** Whether it continues a reply (CONTINUE-6). */
  isContinued: boolean;
  /** Whether it is for another human on the owner's key, so that its files have a lower limit (CONTEXT-20). */
  isGuest: boolean;
}

/** Estimated maximum of tokens, input and output together, that a reply uses. */
export function estimateOfReply(facts: ReplyFacts): number {
  const { messages, bytes, hasFiles, isInThread, context, outputTokens, isContinued, isGuest } = facts;
  const most = context.characters * BYTES_PER_UNIT;
  const isCut = messages > context.messages || bytes > context.characters;
  const texts = tokensOf(isInThread ? most : Math.min(bytes, most), Math.min(messages, context.messages) + 1);
  const files = hasFiles && context.files ? (isGuest ? fileLimits.guestTokens : fileLimits.tokens) : 0;
  const summary = isCut && isFullContext(context) ? SUMMARY_TOKENS + (isContinued ? 0 : SUMMARY_REQUEST_TOKENS) : 0;
  return (
    texts +
    tokensOf(facts.systemBytes, 0) +
    files +
    summary +
    (isContinued ? CONTINUED_TOKENS : 0) +
    (outputTokens ?? DEFAULT_OUTPUT_TOKENS)
  );
}

/** The same for any reply to another human on the owner's key, with the default context. */
export const mostTokensOfReply = (ownerLimit: string | undefined): number =>
  Math.max(
    ...[false, true].map((isContinued) =>
      estimateOfReply({
        messages: contextLimits.maxMessages + 1,
        bytes: Infinity,
        hasFiles: true,
        isInThread: true,
        context: { messages: contextLimits.maxMessages, characters: contextLimits.maxCharacters, files: true },
        systemBytes: limits.settingTextBytes,
        outputTokens: ownerLimit === undefined ? undefined : Number(ownerLimit),
        isContinued,
        isGuest: true,
      }),
    ),
  );
