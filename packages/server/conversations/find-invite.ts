import { notFound } from '../core/errors.ts';
import { tokenHash } from '../secrets/tokens.ts';
import type { Call } from '../access/call.ts';
import { chatByKey, type ChatRow } from '../store/chats.ts';
import { inviteByToken, type InviteRow } from '../store/invites.ts';

/** How long a used-up invite is kept, so that a caller who lost the answer can repeat the call (INVITE-8). */
export const KEPT_USED_UP_MS = 3_600_000;

interface FoundInvite {
  invite: InviteRow;
  chat: ChatRow;
  /** Whether anyone can still join with it: it has uses left, and its group has humans. */
  isOpen: boolean;
}

/** The invite with a token, and its group; 404 if there is none or it has expired (INVITE-7). */
export async function findInvite({ tx, now }: Pick<Call, 'tx' | 'now'>, token: string): Promise<FoundInvite> {
  const invite = await tx.get(inviteByToken, tokenHash(token));
  if (!invite || (invite.expires_at !== null && invite.expires_at <= now)) throw notFound('invite');
  const chat = await tx.get(chatByKey, invite.chat_key);
  if (!chat) throw notFound('invite');
  const hasUses = invite.max_uses === null || invite.uses < invite.max_uses;
  return { invite, chat, isOpen: hasUses && chat.participant_count > chat.agent_count };
}
