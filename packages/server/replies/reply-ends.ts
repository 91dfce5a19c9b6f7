import { type Booking, type CloseOpenStream, endEvent, type ReplyEnd } from './end-of-reply.ts';
import type { LiveStream } from './live-stream.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Awaitable } from '../store/sql.ts';

interface ReplyEndNeeds {
  streams: LiveStreams;
  /** Resolves when the transient events published so far have their numbers; undefined when they have them already. */
  numbered: () => Awaitable<void>;
  /** Runs the unit that stores the end; resolves with JSON text: the final Message, or `null` for a deleted reply. */
  store: (input: CloseOpenStream) => Promise<string | undefined>;
  book: (input: Booking) => Promise<unknown>;
  onFault: (error: unknown) => void;
}

/** Ends streaming replies of this node. */
export class ReplyEnds {
  readonly #needs: ReplyEndNeeds;

  constructor(needs: ReplyEndNeeds) {
    this.#needs = needs;
  }

  /**
   * Stores the end of a reply; resolves with the final Message as JSON text, or undefined if the reply had ended or was
   * deleted. Until the end is stored the reply keeps its text.
   */
  readonly close = async (
    stream: LiveStream,
    { status, text = stream.text, finishReason, alert, details, askerKey, attachments, usage: given }: ReplyEnd,
  ): Promise<string | undefined> => {
    const { streams, numbered, store } = this.#needs;
    if (!stream.isLive) return undefined;
    // Publish the rest as a delta first. A replaced text needs none: messageComplete contains the whole text.
    if (!stream.isReplaced) streams.publishPending(stream);
    stream.apply(endEvent[status]);
    const { reported, price } = stream.request;
    const usage = given ?? reported;
    const input: CloseOpenStream = {
      messageKey: stream.info.messageKey,
      chatId: stream.info.chatId,
      agentKey: stream.info.agentKey,
      agentName: stream.info.agent.username,
      status,
      text,
      ...(stream.parts && { parts: stream.parts }),
      // Above that of pending text: its writer has heard of it (STREAM-12).
      revision: stream.currentRevision + 1,
      ...(finishReason !== undefined && { finishReason }),
      ...(alert !== undefined && { alert }),
      ...(details !== undefined && { details }),
      ...(askerKey !== undefined && { askerKey }),
      ...(attachments && { attachments }),
      ...(usage && { usage }),
      ...(price && { price }),
      estimatedTokens: stream.estimatedTokens,
    };
    try {
      // Wait until the last delta has its number: it must come before the end, because the text of a reply is its
      // deltas joined.
      const numbering = numbered();
      if (numbering) await numbering;
      const message = await store(input);
      if (message !== 'null') return message;
      // The reply was deleted while its end was being stored.
      this.bookUsage(stream, true, stream.estimatedTokens);
      return undefined;
    } catch (error) {
      stream.apply('refuse');
      throw error;
    }
  };

  /**
   * Books the usage of a reply whose end does not book it: a request that another one follows, or a deleted reply
   * (USAGE-5).
   */
  bookUsage(stream: LiveStream, isEnd: boolean, estimatedTokens: number): void {
    const { info, request } = stream;
    const { reported: usage, price } = request;
    // A continued reply, which begins with text, was counted at its first end.
    const isReply = isEnd && info.text === '';
    if (!usage && estimatedTokens === 0) return;
    request.book();
    const { messageKey, agentKey, chatKey, turnKey } = info;
    const booking = {
      messageKey,
      agentKey,
      chatKey,
      turnKey,
      usage: usage ?? undefined,
      price,
      estimatedTokens,
      isReply,
    };
    this.#needs.book(booking).catch(this.#needs.onFault);
  }
}
