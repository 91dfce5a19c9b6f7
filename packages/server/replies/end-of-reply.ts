import type { AttachmentInput, Part, Price, TokenUsage } from '@parley/protocol';
import type { ReplyEvent } from '../rules/reply-states.ts';
import type { TextReading } from '../rules/text-reading.ts';
import type { TurnEvent } from '../rules/turn-states.ts';

export type EndStatus = 'complete' | 'cancelled' | 'failed';

export interface EndOfReply {
  status: EndStatus;
  finishReason?: string;
  alert?: string;
  /** The provider's words, for the owner of the key (ALERT-7). */
  details?: string;
  /** Of a reply that waits: the person whose waiting replies are counted (WAIT-8). */
  askerKey?: number;
}

/** The end of a reply whose agent or channel was removed (TURN-9). */
export const revoked = { status: 'cancelled', finishReason: 'removed' } as const satisfies EndOfReply;

/** How a streaming reply ends; without `text` it keeps the text that it has. */
export type ReplyEnd = EndOfReply & Partial<Pick<CloseStream, 'attachments' | 'text' | 'usage'>>;

/** The end of an open reply as the unit `closeStream` stores it. */
export interface CloseStream {
  messageKey: number;
  status: EndStatus;
  text: string;
  /** What stands in the text; a short text is read in the unit. */
  reading?: TextReading;
  parts?: readonly Part[] | undefined;
  revision: number;
  finishReason?: string;
  attachments?: readonly AttachmentInput[];
  /** The usage that the writer reported; if it is not given, the usage of the last checkpoint is booked. */
  usage?: TokenUsage;
  /** What that usage costs, if it is known. */
  price?: Price;
  /** The tokens that the request has used, as `RequestUsage.estimate` estimates them. */
  estimatedTokens?: number;
  /** The text of the alert that the asker receives when the reply fails. */
  alert?: string;
  /** What the provider said, which only the owner of the key is shown (ALERT-7). */
  details?: string;
}

/** The end of an open reply as its own unit: the conversation and the agent decide which locks the unit takes. */
export interface CloseOpenStream extends CloseStream {
  chatId: string;
  agentKey: number;
  /** The agent's username, which names its owner. */
  agentName: string;
  /** Of a reply that waits: the person whose waiting replies are counted (WAIT-8). */
  askerKey?: number;
}

/** For each way to end, the event of the turn and of the open reply. */
export const endEvent = { complete: 'finish', cancelled: 'stop', failed: 'fail' } as const satisfies Record<
  EndStatus,
  TurnEvent & ReplyEvent
>;

/** The token usage of one request to a provider, and the reply it was for. */
export interface Booking {
  messageKey: number;
  agentKey: number;
  chatKey: number;
  turnKey: number | null;
  /** Undefined if the provider reported none. */
  usage: TokenUsage | undefined;
  /** Undefined if no price is known. */
  price: Price | undefined;
  /**
   * Estimated from the length of the texts, for replies that end before the provider reports their full usage (KEY-15).
   */
  estimatedTokens: number;
  /** False for a request that is retried: the reply is counted once, with its last request. */
  isReply: boolean;
}
