import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { serviceInviteUrl } from '../../conversations/secret-urls.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { roleNow } from '../../people/administer.ts';
import { serviceSettings } from '../../people/service-settings.ts';
import { serviceInviteRecord } from '../../rendering/records.ts';
import { mayInvite } from '../../rules/account-roles.ts';
import { newToken } from '../../secrets/tokens.ts';
import { chatForAccount } from '../../store/chats.ts';
import { addInviteChat, countServiceInvitesOf, insertServiceInvite } from '../../store/service-invites.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Only the hash of the token is stored: it is shown once (ENTER-2). */
export default preparedUnit('createServiceInvite', {
  prepare(_call, _input, { config }: Needs<'config'>) {
    const { token, hash } = newToken('v_');
    return { token, hash, url: serviceInviteUrl(config.publicUrl, token) };
  },
  locks: everything,
  audit: (_input, { id, role, approval, chat_ids, max_uses, expires_at }) => ({
    target: id,
    details: { role, approval, chat_ids, max_uses, expires_at },
  }),
  async handle(call, input, { token, hash, url }) {
    const { tx, caller, now } = call;
    const { chat_ids = [], expires_in, max_uses = null, role = 'member', approval = false } = input;
    await requireInviter(call);
    const chats = [];
    for (const id of new Set(chat_ids)) chats.push(await requireOwnGroup(call, id));
    const living = (await tx.get(countServiceInvitesOf, now, caller.key))?.count ?? 0;
    if (living >= limits.invites)
      throw invalid('max_uses', `cannot be of another invite: you have ${limits.invites} already; revoke one first`);
    const id = call.newId();
    const expires_at = expires_in === undefined ? null : now + expires_in * 1_000;
    const made = await tx.get(
      insertServiceInvite,
      id,
      caller.key,
      hash,
      role,
      Number(approval),
      max_uses,
      now,
      expires_at,
    );
    if (!made) throw new Error('an INSERT … RETURNING gave no row');
    for (const [place, chat] of chats.entries()) await tx.run(addInviteChat, made.key, place, chat.key);
    const row = { id, role, approval: Number(approval), max_uses, uses: 0, created_at: now, expires_at };
    const chatIds = chats.map((chat) => idText(chat.id));
    return { ...serviceInviteRecord({ ...row, created_by: caller.username }, chatIds), token, url };
  },
});

async function requireInviter(call: UnitCall): Promise<void> {
  if (call.caller.kind !== 'human') throw forbidden('only people invite people');
  if (!mayInvite(await roleNow(call), (await serviceSettings(call.tx)).who_invites))
    throw forbidden('only admins and owners may invite people');
}

/** A group that the caller manages; one that it does not see is 404: everybody who may invite sees public ones. */
async function requireOwnGroup({ tx, caller }: UnitCall, chatId: string) {
  const chat = await tx.get(chatForAccount, idBytes(chatId), caller.key);
  if (!chat || (chat.role === null && chat.is_public === 0)) throw notFound('conversation');
  if (chat.kind !== 'group') throw forbidden('this is not a group');
  if (chat.role === null || chat.role === 'member')
    throw forbidden('only the owner and admins of a group invite people to it');
  return chat;
}
