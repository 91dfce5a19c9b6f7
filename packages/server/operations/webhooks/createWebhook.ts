// Webhooks: secret addresses whose posts become messages, and addresses to which the service sends events.
import { limits } from '@parley/protocol';
import { requireHuman } from '../../agents/default-agent.ts';
import { account, chat } from '../../commits/lock-names.ts';
import { joining } from '../../commits/unit-locks.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { assertRoom } from '../../conversations/members.ts';
import { webhookUrl } from '../../conversations/secret-urls.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { givenAvatar } from '../../files/avatars.ts';
import { changeProfile } from '../../people/change-profile.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { newToken } from '../../secrets/tokens.ts';
import { accountByKey, addAccount, WEBHOOK_PROVIDER } from '../../store/accounts.ts';
import { requireChannel, requireManagedGroup } from '../../access/chats.ts';
import { insertWebhook, webhookOf, webhooksIn, webhooksOf } from '../../store/webhooks.ts';
import { webhookRecord } from '../../rendering/records.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Creates the account `<caller>:webhook_…`, which joins the group (WEBHOOK-1). */
export default preparedUnit('createWebhook', {
  async prepare({ tx, caller }, input, { config, files }: Needs<'config' | 'files'>) {
    const human = requireHuman(caller);
    if (isReservedName(input.display_name ?? '')) throw invalid('display_name', RESERVED);
    // Before the picture is made; the unit checks again.
    await requireManagedGroup({ tx, caller: human }, input.chat_id);
    const { token, hash } = newToken('wh_');
    return {
      hash,
      url: webhookUrl(config.publicUrl, token),
      avatar: await givenAvatar(files, human, input.avatar_file_id),
    };
  },
  // Locks the caller, because its webhooks are counted.
  locks: ({ caller, input }) => [chat(input.chat_id), joining, account(caller.key)],
  async handle(call, { chat_id, channel_id, display_name = 'Webhook' }, { hash, url, avatar }) {
    const { tx, caller, now } = call;
    const group = await requireManagedGroup(call, chat_id);
    const channel = channel_id === undefined ? undefined : await requireChannel(call, group.key, channel_id);
    if ((await tx.all(webhooksIn, group.key)).length >= limits.webhooks)
      throw invalid('chat_id', `has ${limits.webhooks} webhooks already: delete one first`);
    if ((await tx.all(webhooksOf, caller.key)).length >= limits.webhooksPerOwner)
      throw invalid('chat_id', `would get webhook ${limits.webhooksPerOwner + 1} of this account: delete one first`);
    assertRoom(call, group.participant_count + 1, 'chat_id');
    const id = call.newId();
    const key = await addAccount(call, {
      // The end of the id is random.
      username: `${caller.username}:webhook_${idText(id).slice(-12)}`,
      kind: 'agent',
      displayName: display_name,
      parentKey: caller.key,
      provider: WEBHOOK_PROVIDER,
    });
    const sender = key === null ? undefined : await tx.get(accountByKey, key);
    if (!sender) throw conflict('the name of the webhook is taken; try again');
    await changeProfile(call, sender, { avatar });
    await tx.run(insertWebhook, sender.key, id, group.key, channel?.key ?? 0, hash, now);
    await addParticipants(call, group, [{ key: sender.key, kind: 'agent', alwaysOn: false }]);
    const made = await tx.get(webhookOf, sender.key);
    if (!made) throw new Error('a webhook that was just stored is missing');
    return { ...webhookRecord(made), url };
  },
});
