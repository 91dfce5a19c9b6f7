import type { InlineQueries } from '../agents/inline-queries.ts';
import type { TypingEnds } from '../agents/typing-ends.ts';
import type { ByteBudget } from '../core/byte-budget.ts';
import type { Clock } from '../core/clock.ts';
import type { Scope, TimelineId } from '../core/event-kinds.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Hub, Within } from '../log/hub.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { LiveTexts } from '../rendering/messages.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { OpenReplies } from '../replies/open-replies.ts';
import type { Awaitable, Sql } from '../store/sql.ts';

/** Whose replay it is, and what of it. */
export interface ReplayRequest {
  accountKey: number;
  /** The owner whose memory quota the answer counts towards while it is built (LIMIT-27). */
  ownerKey: number;
  /** The event classes that the socket's caps let through, and the timeline that it focuses (`Subscription.focus`). */
  classes: number;
  focus: TimelineId | null | undefined;
  since: number;
  /** Frames per page. Undefined for callers without paging, which get everything or `truncated` (LOG-10). */
  limit: number | undefined;
  /**
   * Leaves out other events: those of other conversations, unless it is null, and of other methods. None of these is too
   * old. Of the account's own scope remain those about private messages of the conversation (DECIDE-9).
   */
  only?: { chat: { scope: Scope; id: string } | null; methods: ReadonlySet<string> };
  /** The only conversations that exist for the caller's access token (ACCESS-9). */
  within?: Within | undefined;
  /** Numbers of snapshots that the socket alone was sent, by message key: they are in the answer too (CAPS-9). */
  alone?: ReadonlyMap<number, number>;
  /** Returns the number up to which the answer brings a client; called before the rows are read. */
  head: (through: number) => Awaitable<number>;
}

/** The rooms that a replay reads from. */
export interface ReplayRooms {
  readonly read: Sql;
  readonly accounts: AccountTexts;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly hub: Hub;
  readonly texts: LiveTexts;
  readonly streams: LiveStreams;
  readonly replies: OpenReplies;
  readonly inlineQueries: InlineQueries;
  readonly typingEnds: TypingEnds;
  readonly answers: ByteBudget;
}
