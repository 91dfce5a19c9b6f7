import { idText } from '../ids.ts';
import type { Service } from '../service.ts';
import { accountByKey, accountRecord, type AccountRow, actorOf, agentsOf } from '../store/accounts.ts';
import { blocksOf } from '../store/blocks.ts';
import { botSchema, ownerConfig } from '../store/bot-config.ts';
import { participantsOf } from '../store/chats.ts';
import { draftsOf } from '../store/drafts.ts';
import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { hiddenBy, overridesOf, placesOf, pushDevicesOf, tailsOf, usageLines } from '../store/exports.ts';
import { devicePrefsOf, prefsOf, readDevicePrefs, readPrefs } from '../store/notifications.ts';
import { sessionRecord, sessionsOf } from '../store/sessions.ts';
import { messages, reactions, uploads } from './windows.ts';

/** Rows of a page. */
const PAGE = 200;
const DAY_MS = 86_400_000;

/** Pages of items that are JSON values. */
type Pages = Iterable<unknown[]> | AsyncIterable<unknown[]>;

const time = (ms: number): string => new Date(ms).toISOString();

/** What is an account's own, and under which name (EXPORT-2). No secret is in it, and of others no more than names. */
export function sections({ read }: Pick<Service, 'read'>, account: AccountRow, now: number): Record<string, Pages> {
  const { key } = account;
  return {
    sessions: once(() =>
      read.all(sessionsOf, key, now).map((row) => ({
        ...sessionRecord(row, null),
        notifications: readDevicePrefs(read.get(devicePrefsOf, row.key)?.prefs),
      })),
    ),
    push_devices: once(() =>
      read
        .all(pushDevicesOf, key)
        .map(({ platform, registered_at }) => ({ platform, registered_at: time(registered_at) })),
    ),
    notifications: once(() => [readPrefs(read.get(prefsOf, key)?.prefs)]),
    conversations: conversations(read, key),
    messages: messages(read, account),
    reactions: reactions(read, account),
    hidden_messages: hidden(read, key),
    drafts: once(() =>
      read.all(draftsOf, key).map(({ chat_id, text, reply_to_id, updated_at }) => ({
        chat_id: idText(chat_id),
        text,
        reply_to_id,
        updated_at: time(updated_at),
      })),
    ),
    blocked: blocked(read, key),
    agents: once(() => read.all(agentsOf, key).map((row) => agent(read, row))),
    agent_settings: once(() =>
      read.all(overridesOf, key).map((row) => ({ agent: row.agent, config: JSON.parse(row.config) as unknown })),
    ),
    secrets: once(() => read.all(tailsOf, key)),
    files: uploads(read, key),
    usage: usage(read, key),
  };
}

function* once(make: () => unknown[]): Generator<unknown[]> {
  yield make();
}

function* conversations(read: SqliteConnection, key: number): Generator<unknown[]> {
  for (let after = 0; ;) {
    const places = read.all(placesOf, key, after, PAGE);
    for (const place of places) {
      const members = read.all(participantsOf, place.key);
      yield [
        {
          id: idText(place.id),
          kind: place.kind,
          title: place.title,
          role: place.role,
          joined_at: time(place.joined_at),
          is_muted: place.is_muted === 1,
          muted_until: place.muted_until === null ? undefined : time(place.muted_until),
          last_read_message_id: place.read_id && idText(place.read_id),
          members: members.map((row) => ({ ...actorOf(row), role: row.role })),
        },
      ];
    }
    const last = places.at(-1);
    if (!last || places.length < PAGE) return;
    after = last.key;
  }
}

function* hidden(read: SqliteConnection, key: number): Generator<unknown[]> {
  for (let after = 0; ;) {
    const rows = read.all(hiddenBy, key, after, PAGE);
    yield rows.map(({ id }) => idText(id));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

function* blocked(read: SqliteConnection, key: number): Generator<unknown[]> {
  for (let place: readonly [number, number] = [Number.MAX_SAFE_INTEGER, 0]; ;) {
    const rows = read.all(blocksOf, key, ...place, PAGE);
    yield rows.map((row) => ({
      username: read.get(accountByKey, row.blocked_key)?.username,
      created_at: time(row.created_at),
    }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.created_at, last.blocked_key];
  }
}

/** One of the account's agents, with the values that it has set for everyone; its secrets are told by their tails alone. */
function agent(read: SqliteConnection, row: AccountRow): unknown {
  const schema = read.get(botSchema, row.key);
  const shared = read.get(ownerConfig, row.key);
  return {
    account: accountRecord(row),
    is_public: row.is_public === 1,
    template: schema?.template,
    config_schema: schema && (JSON.parse(schema.config_schema) as unknown),
    secret_schema: schema && (JSON.parse(schema.secret_schema) as unknown),
    config: shared && (JSON.parse(shared.config) as unknown),
    show_on_profile: shared && (JSON.parse(shared.published) as unknown),
  };
}

/** What the account's agents have cost, as getUsage tells their owner, day by day. */
function* usage(read: SqliteConnection, key: number): Generator<unknown[]> {
  for (let place: [number, number, Uint8Array, number] = [0, 0, new Uint8Array(), 0]; ;) {
    const rows = read.all(usageLines, key, ...place, PAGE);
    yield rows.map(({ agent: name, username, chat_id, day, input_tokens, output_tokens, replies }) => ({
      agent: name,
      username,
      conversation_id: idText(chat_id),
      date: time(day * DAY_MS).slice(0, 10),
      input_tokens,
      output_tokens,
      replies,
    }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.agent_key, last.human_key, last.chat_id, last.day];
  }
}
