// rules/: the decisions of the service as pure functions. Nothing here reads a clock, a store or a socket. The tests
// beside each file are the tables of the specification.

type DispatchAgent = {
  username: string;
  /** null if there is no setting: a participant from before the setting existed, or a direct chat. */
  alwaysOn: boolean | null;
  /** It follows the thread: it was asked there not long ago (DISPATCH-18). */
  isFollowing: boolean;
};

/** Why a message fires an agent: it mentions it, quotes it, is in a thread that it follows, or it answers every one. */
export type DueReason = 'mentioned' | 'quoted' | 'follows' | 'always_on';
interface DueAgent {
  username: string;
  reason: DueReason;
}

/** How long a thread must be quiet before agents no longer follow it (DISPATCH-18). */
export const FOLLOWS_FOR_MS = 30 * 60_000;

export type DispatchInput = {
  sender: { kind: 'human' | 'agent'; username: string };
  isService: boolean;
  /** Usernames that the text mentions, from `findMentions`. */
  mentioned: Iterable<string>;
  /** The author of the quoted message. */
  repliesTo: string | null;
  /** The agents of the conversation, the sender possibly included. */
  agents: readonly DispatchAgent[];
};

/** The agents that a message fires within the limits (DISPATCH-1 … 9): addressed ones first, then the others, both in given order. */
export function agentsDue(input: DispatchInput): DueAgent[] {
  const { sender } = input;
  if (input.isService) return [];

  const mentioned = new Set(input.mentioned);
  const addressed: DueAgent[] = [];
  const bystanders: DueAgent[] = [];
  for (const { username, alwaysOn, isFollowing } of input.agents) {
    if (username === sender.username) continue;
    if (mentioned.has(username)) addressed.push({ username, reason: 'mentioned' });
    // An agent fires another only by a mention: otherwise two agents would answer each other endlessly.
    else if (sender.kind === 'agent') continue;
    else if (input.repliesTo === username) addressed.push({ username, reason: 'quoted' });
    else if (isFollowing) bystanders.push({ username, reason: 'follows' });
    else if (alwaysOn !== false) bystanders.push({ username, reason: 'always_on' });
  }
  return [...addressed, ...bystanders];
}

/**
 * Whether an agent that follows threads also hears the next message there (DISPATCH-18): only a human's message that
 * addresses it, or that it hears because it follows, begins or continues this.
 */
export const keepsFollowing = (sender: DispatchInput['sender'], reason: DueReason): boolean =>
  sender.kind === 'human' && reason !== 'always_on';

/** Maximum agents that one message fires, and the firings left in the budget of its chain. */
interface FiringWidth {
  perMessage: number;
  left: number;
}

/**
 * Cuts the list of due agents to the maximum. Addressed agents come first in the list, so the cut leaves out the
 * others.
 */
export function withinWidth<Agent>(due: readonly Agent[], width: FiringWidth): { fire: Agent[]; leftOut: Agent[] } {
  const most = Math.max(0, Math.min(width.perMessage, width.left));
  return { fire: due.slice(0, most), leftOut: due.slice(most) };
}

/** The hop of a message's firings: 0 if its sender is human, otherwise one more than the message's own hop. */
export function firingHop(input: Hop): number {
  return input.sender.kind === 'human' ? 0 : input.hop + 1;
}

interface Hop {
  sender: { kind: 'human' | 'agent' };
  /** The hop of the firing that the message answers; ignored if the sender is human. */
  hop: number;
}

/** Whether agents have fired agents as often as they may since a human wrote (DISPATCH-10). */
export const isLastHop = ({ sender, hop, maxHops }: Hop & { maxHops: number }): boolean =>
  sender.kind === 'agent' && hop >= maxHops;
