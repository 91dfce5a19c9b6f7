// Which calls of tools ask a person first, and what an earlier answer allows.

export type Approval = 'never' | 'writes' | 'always';
export type Identity = 'asker' | 'owner' | 'none';

/** What a person has allowed for a tool: everywhere, in this conversation, or nothing beyond single calls. */
export type Granted = 'always' | 'here' | null;

interface AskedCall {
  approval: Approval;
  /** With whose credential the tool's server is asked. */
  identity: Identity;
  /** False only if the owner has listed the tool as a read. */
  writes: boolean;
  isGroup: boolean;
  /** The turn has read what strangers may have written (CALL-8). */
  isTainted: boolean;
  granted: Granted;
}

/** Whether a person must allow the call before it is sent (CALL-7, CALL-8). */
export function asksFirst({ approval, identity, writes, isGroup, isTainted, granted }: AskedCall): boolean {
  // What the model read may have told it to write: no earlier answer was about that.
  if (writes && isTainted) return true;
  if (approval === 'never') return false;
  // Everybody in the group reads the reply, so the answer must have been given here.
  if (!writes && isGroup && identity === 'asker') return granted !== 'here';
  return (writes || approval === 'always') && granted === null;
}

interface Grant<Id> {
  id: Id;
  /** 0: everywhere. */
  chatKey: number;
  /** The address of the server, the definition of the tool and the credential for which it was given. */
  terms: string;
}

/**
 * What the stored grants of a person for a tool allow in a conversation, and by which of them; undefined if nothing: of
 * other terms they allow nothing (CALL-9).
 */
export function grantedBy<Id>(
  grants: readonly Grant<Id>[],
  terms: string,
  chatKey: number,
): { granted: 'always' | 'here'; id: Id } | undefined {
  const valid = grants.filter((grant) => grant.terms === terms);
  const here = valid.find((grant) => grant.chatKey === chatKey);
  if (here) return { granted: 'here', id: here.id };
  const everywhere = valid.find((grant) => grant.chatKey === 0);
  return everywhere && { granted: 'always', id: everywhere.id };
}

/** The options of the decision about a call, in their order, and for which conversations each stores a grant. */
export const callOptions = [
  { id: 'decline', label: 'Decline', style: 'danger' },
  { id: 'once', label: 'Allow once', style: 'primary' },
  { id: 'chat', label: 'Allow in this chat' },
  { id: 'always', label: 'Always allow' },
] as const;

/** The conversations for which an answer stores a grant; 0: everywhere. An answer for everywhere counts here too. */
export function grantsOf(option: string, chatKey: number): readonly number[] {
  if (option === 'chat') return [chatKey];
  return option === 'always' ? [0, chatKey] : [];
}
