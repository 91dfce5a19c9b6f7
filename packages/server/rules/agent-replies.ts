// rules/: the decisions of the service as pure functions. Nothing here reads a
// clock, a store or a socket; the tests beside each file are the specification's
// own tables, and their titles carry its IDs.

export type DispatchAgent = {
  username: string;
  /** null: no setting (a legacy participant, or a direct chat). */
  alwaysOn: boolean | null;
};

export type DispatchInput = {
  sender: { kind: 'human' | 'agent'; username: string };
  isService: boolean;
  /** Usernames, as `findMentions` gives them. */
  mentioned: Iterable<string>;
  /** The author of the quoted message. */
  repliesTo: string | null;
  /** The conversation's agents, the sender may be among them. */
  agents: readonly DispatchAgent[];
  /** The hop of the firing that wrote this message; ignored for a human's. */
  hop: number;
  maxHops: number;
};

/** The agents that the table fires: those spoken to first, then the others, each in the order of `agents`. */
export function agentsDue(input: DispatchInput): string[] {
  const { sender } = input;
  if (input.isService) return [];
  if (sender.kind === 'agent' && input.hop >= input.maxHops) return [];

  const mentioned = new Set(input.mentioned);
  const spokenTo: string[] = [];
  const bystanders: string[] = [];
  for (const { username, alwaysOn } of input.agents) {
    if (username === sender.username) continue;
    if (mentioned.has(username)) spokenTo.push(username);
    // An agent reaches another by a mention alone: anything looser would loop.
    else if (sender.kind === 'agent') continue;
    else if (input.repliesTo === username) spokenTo.push(username);
    else if (alwaysOn !== false) bystanders.push(username);
  }
  return [...spokenTo, ...bystanders];
}

/** How many agents one message may fire, and how many firings are left in its budget. */
export interface FiringWidth {
  perMessage: number;
  left: number;
}

/** Cuts the list of agents to the width. Those spoken to come first in it, so the cut leaves out bystanders. */
export function withinWidth<Agent>(due: readonly Agent[], width: FiringWidth): { fire: Agent[]; leftOut: Agent[] } {
  const most = Math.max(0, Math.min(width.perMessage, width.left));
  return { fire: due.slice(0, most), leftOut: due.slice(most) };
}

/** The hop of the firings that a message causes: 0 for a human's, one more than its own for an agent's. */
export function firingHop(input: Pick<DispatchInput, 'sender' | 'hop'>): number {
  return input.sender.kind === 'human' ? 0 : input.hop + 1;
}
