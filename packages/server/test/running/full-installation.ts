import { DatabaseSync } from 'node:sqlite';
import type { Actor } from '@parley/testing';
import type { Installation } from '@parley/testing/servers/installation.ts';
import { photo, upload } from '../helpers/file-stage.ts';

interface Inhabitants {
  ann: Actor;
  bob: Actor;
  chatId: string;
  bot: Actor;
}

const category = { enabled: true, preview: false, sound: true };
/** Text that is easily corrupted: line ends that JSON does not escape, multi-byte characters, SQL quotes. */
export const awkward = 'a\nb\u2028c\u2029d\r\n"e" \'f\' \\g 😀 é e\u0301 $1 :list';

/** The same text on one line, as names require. */
const awkwardName = awkward.replaceAll(/[\n\r\u2028\u2029]/g, '');

/** Creates one of everything that people can store. */
export async function fillInstallation(installation: Installation): Promise<Inhabitants> {
  const ann = await installation.member('ann');
  const bob = await installation.member('bob');
  await installation.member('eve');
  const { id: chatId } = await ann.api.startChat({ usernames: ['bob', 'eve'], title: awkwardName });
  const send = (text: string, more: Partial<Parameters<Actor['api']['sendMessage']>[0]> = {}) =>
    ann.api.sendMessage({ chat_id: chatId, text, ...more });
  const root = await send('root', { client_msg_id: 'sent once' });
  await bob.api.sendMessage({ chat_id: chatId, text: 'in a thread', thread_root_id: root.id });
  const edited = await send('before');
  await ann.api.editMessage({ message_id: edited.id, text: awkward });
  const deleted = await send('deleted');
  await ann.api.deleteMessages({ message_ids: [deleted.id] });
  await bob.api.deleteMessagesForMe({ message_ids: [(await send('hidden from bob')).id] });
  const { id: channel_id } = await ann.api.createChannel({ chat_id: chatId, title: 'a channel' });
  await send('in a channel', { channel_id });
  await bob.api.setMessageReaction({ message_id: root.id, emoji: '👍' });
  await ann.api.pinMessage({ chat_id: chatId, message_id: root.id });
  await bob.api.saveDraft({ chat_id: chatId, text: awkward });
  await bob.api.markRead({ chat_id: chatId, message_id: root.id });

  const picture = await upload(ann, await photo('png', { width: 900, height: 700 }), 'a photo.png');
  const empty = await upload(ann, 'one byte and more', 'a.txt');
  await send('with files', { attachments: [{ id: picture.id }, { id: empty.id }] });
  await upload(bob, 'named by no message');
  await ann.api.updateProfile({ avatar_file_id: picture.id, bio: awkward });
  await ann.api.setChatAvatar({ chat_id: chatId, avatar_file_id: picture.id });
  const small = await upload(ann, await photo('png'), 'party.png');
  await ann.api.createEmoji({ name: 'party', file_id: small.id });
  await ann.api.setStatus({ emoji: ':party:', text: awkwardName });

  const { bot, token } = await ann.api.createBot({ slug: 'helper', display_name: 'Helper' });
  const helper = installation.visitor(token, bot.username);
  await ann.api.addGroupAgent({ chat_id: chatId, agent_username: bot.username });
  const asked = await bob.api.sendMessage({ chat_id: chatId, text: `@${bot.username} hello` });
  const reply = await helper.api.startMessageStream({ chat_id: chatId, reply_to_message_id: asked.id });
  await helper.api.appendMessageStream({ message_id: reply.id, delta: 'half a re', offset: 9 });
  await helper.api.finishMessageStream({ message_id: reply.id });
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-a-key-of-ann' });
  await ann.api.setBotConfig({ username: 'ann:provider_a', config: {}, monthly_token_cap: 1_000 });

  const own = await ann.api.createAgent({
    slug: 'local',
    display_name: awkwardName,
    provider: 'provider_b',
    model: 'llama',
    base_url: 'https://models.example/v1',
    system_prompt: awkward,
    description: awkward,
    context: { messages: 3, files: false },
    visibility: 'private',
    pays_for: 'nobody',
    allowed_models: ['qwen'],
  });
  await ann.api.setBotConfig({ username: own.username, secrets: { api_key: 'sk-a-key-for-models-example' } });

  const { out: key } = await installation.admin('backends key shop --owner ann');
  await installation.visitor().api.createUserToken({
    backend_key: key.trim(),
    external_id: awkwardName,
    display_name: awkwardName,
    chat_ids: [chatId],
  });

  await ann.api.createInvite({ chat_id: chatId, max_uses: 3 });
  await ann.api.createWebhook({ chat_id: chatId, display_name: awkwardName });
  await ann.api.createWebhookSubscription({ url: 'https://hooks.example/', events: ['messageNew'], chat_id: chatId });
  await bob.api.blockUser({ username: 'eve' });
  await bob.api.setNotificationPrefs({
    private_chats: category,
    group_chats: category,
    message_preview: true,
    badge: { enabled: true, include_groups: true, count_messages: true },
  });
  await bob.api.setDeviceNotificationPrefs({ enabled: true, in_app: { sounds: true, vibrate: true, preview: true } });
  await bob.api.registerPushToken({ token: 'a1b2c3', platform: 'ios' });
  return { ann, bob, chatId, bot: helper };
}

/** Tables whose rows name bytes, which must exist. */
const NAME_BYTES = ['emoji', 'files', 'avatars'];

/** Adds a row to each empty table, such as those whose rows are short-lived. */
export function fillTables(file: string): void {
  const database = new DatabaseSync(file);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  for (const { name } of tables.all()) {
    if (NAME_BYTES.includes(String(name)) || database.prepare(`SELECT 1 FROM ${String(name)} LIMIT 1`).get()) continue;
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(String(name));
    const values = columns.map(({ name: column, type }) =>
      // Moving the data to another database clears node keys.
      column === 'node_key'
        ? 0
        : type === 'INTEGER'
          ? 2 ** 53 - 1
          : type === 'BLOB'
            ? Buffer.from(range(256))
            : awkward,
    );
    database.prepare(`INSERT INTO ${String(name)} VALUES (${columns.map(() => '?').join(', ')})`).run(...values);
  }
  database.close();
}

const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
