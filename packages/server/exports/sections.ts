import { idText } from '../core/ids.ts';
import { accountByKey, type AccountRow, agentsOf, isWebhook, visibilityOf } from '../store/accounts.ts';
import { accountRecord, actorOf } from '../rendering/accounts.ts';
import { identitiesOf } from '../store/backends.ts';
import { issuersOf } from '../store/oidc.ts';
import { blocksOf } from '../store/blocks.ts';
import { botSchema, ownerConfig } from '../store/bot-config.ts';
import { emojiRecord } from '../files/emoji.ts';
import { emojiOf } from '../store/emoji.ts';
import { folderRecord } from '../rendering/records.ts';
import { foldersOf } from '../store/chat-states.ts';
import { participantsOf } from '../store/chats.ts';
import { draftRecord } from '../messages/input-drafts.ts';
import { draftsOf, timelineDraftsOf } from '../store/drafts.ts';
import { itemsOf } from '../store/inbox.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import {
  hiddenBy,
  mutedChannels,
  overridesOf,
  placesOf,
  pushDevicesOf,
  tailsOf,
  usageLines,
} from '../store/exports.ts';
import { shownCalls, shownGrants } from '../store/shown-calls.ts';
import { pricesOfUsage } from '../store/usage.ts';
import { sourceRecord } from '../library/sources.ts';
import { passagesIn } from '../rules/library-text.ts';
import { sourcesOfOwner } from '../store/sources.ts';
import { notesOfPerson } from '../store/notes.ts';
import { noteRecord } from '../agents/notes.ts';
import { devicePrefsOf, prefsOf, readDevicePrefs, readPrefs } from '../store/notifications.ts';
import { privacyOf } from '../store/privacy.ts';
import { scheduledRecord } from '../conversations/scheduled.ts';
import { scheduleRecord } from '../conversations/schedules.ts';
import { remindersOf, scheduledOf } from '../store/scheduled.ts';
import { accessTokenRecord, sessionRecord } from '../rendering/records.ts';
import { accessTokensOf } from '../store/access-tokens.ts';
import { secondFactorOf } from '../store/second-factors.ts';
import { sessionsOf } from '../store/sessions.ts';
import { statusOf } from '../store/statuses.ts';
import { statusRecord } from '../rendering/records.ts';
import { subscriptionRecord } from '../rendering/records.ts';
import { subscriptionsOf } from '../store/webhook-subscriptions.ts';
import { callRecord, grantRecord } from '../tools/call-records.ts';
import { toolCredentialsOfAccount, toolServersOf } from '../store/tool-servers.ts';
import { webhookRecord } from '../rendering/records.ts';
import { webhooksOf } from '../store/webhooks.ts';
import { decided, messages, reactions, uploads, votes } from './windows.ts';

/** Rows per page. */
const PAGE = 200;
/** Sources per page: each may have a megabyte of text. */
const SOURCES_PER_PAGE = 4;
const DAY_MS = 86_400_000;

/** An iterable of pages, each a list of JSON values. */
type Pages = AsyncIterable<unknown[]>;

const time = (ms: number): string => new Date(ms).toISOString();

/**
 * The sections of an export by name (EXPORT-2): the account's own data without secrets; other accounts appear by name
 * only.
 */
export function sections(read: Sql, account: AccountRow, now: number): Record<string, Pages> {
  const { key } = account;
  return {
    identities: each(
      () => read.all(identitiesOf, key),
      (row) => row,
    ),
    issuers: each(
      () => read.all(issuersOf, key),
      (row) => row,
    ),
    sessions: each(
      () => read.all(sessionsOf, key, now),
      async (row) => ({
        ...sessionRecord(row, null),
        notifications: readDevicePrefs((await read.get(devicePrefsOf, row.key))?.prefs),
      }),
    ),
    access_tokens: each(
      async () => (await read.all(accessTokensOf, key, now)).filter(({ code }) => code === null),
      (row) => accessTokenRecord(row),
    ),
    second_factor: each(
      async () => [await read.get(secondFactorOf, key)].filter((row) => row !== undefined),
      ({ confirmed_at: since }) => ({ since: since === null ? null : time(since) }),
    ),
    push_devices: each(
      () => read.all(pushDevicesOf, key),
      ({ platform, locale, registered_at }) => ({ platform, locale, registered_at: time(registered_at) }),
    ),
    notifications: each(
      async () => [await read.get(prefsOf, key)],
      (row) => readPrefs(row?.prefs),
    ),
    privacy: each(
      async () => [await privacyOf(read, key)],
      (row) => row,
    ),
    status: each(() => read.all(statusOf, key, now), statusRecord),
    conversations: conversations(read, key),
    folders: each(
      () => read.all(foldersOf, key),
      (row) => folderRecord(row),
    ),
    messages: messages(read, account),
    reactions: reactions(read, account),
    votes: votes(read, account),
    decisions: decided(read, account),
    hidden_messages: hidden(read, key),
    inbox: each(
      () => read.all(itemsOf, key),
      ({ id, reason }) => ({ message_id: idText(id), reason }),
    ),
    drafts: each(
      async () => [...(await read.all(draftsOf, key)), ...(await read.all(timelineDraftsOf, key))],
      (row) => ({ ...draftRecord(row), updated_at: time(row.updated_at) }),
    ),
    scheduled_messages: each(
      () => read.all(scheduledOf, key, 'message'),
      (row) => scheduledRecord(row),
    ),
    schedules: each(
      () => read.all(scheduledOf, key, 'schedule'),
      (row) => scheduleRecord(row),
    ),
    reminders: each(
      () => read.all(remindersOf, key),
      ({ message_id: id, due_at: at }) => ({ message_id: idText(id), remind_at: time(at) }),
    ),
    blocked: blocked(read, key),
    agents: each(
      async () => (await read.all(agentsOf, key)).filter((row) => !isWebhook(row)),
      (row) => agent(read, row),
    ),
    webhooks: each(() => read.all(webhooksOf, key), webhookRecord),
    webhook_subscriptions: each(() => read.all(subscriptionsOf, key), subscriptionRecord),
    agent_settings: each(
      () => read.all(overridesOf, key),
      (row) => ({ agent: row.agent, config: JSON.parse(row.config) as unknown }),
    ),
    secrets: each(
      () => read.all(tailsOf, key),
      (row) => row,
    ),
    tool_credentials: each(
      () => read.all(toolCredentialsOfAccount, key),
      (row) => row,
    ),
    tool_calls: toolCalls(read, key),
    tool_grants: toolGrants(read, key),
    notes: notes(read, key),
    library: library(read, key),
    files: uploads(read, key),
    emoji: each(
      () => read.all(emojiOf, key),
      (row) => emojiRecord(row, key),
    ),
    usage: usage(read, key),
  };
}

/** All rows as one page, for tables with few rows per account. */
async function* each<Row>(
  rows: () => Awaitable<Row[]>,
  show: (row: Row) => Awaitable<unknown>,
): AsyncGenerator<unknown[]> {
  const page: unknown[] = [];
  for (const row of await rows()) page.push(await show(row));
  yield page;
}

async function* notes(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let after = 0; ;) {
    const rows = await read.all(notesOfPerson, key, after, PAGE);
    yield rows.map(noteRecord);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

/** The sources of the account's agents, with what was read of them (KNOW-10). */
async function* library(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let after = 0; ;) {
    const rows = await read.all(sourcesOfOwner, key, after, SOURCES_PER_PAGE);
    yield rows.map(({ agent, file_id, passages, ...row }) => ({
      agent,
      ...sourceRecord(row, undefined, 'owner'),
      ...(file_id && { file_id: idText(file_id) }),
      passages: passages === null ? [] : passagesIn(passages),
    }));
    const last = rows.at(-1);
    if (!last || rows.length < SOURCES_PER_PAGE) return;
    after = last.key;
  }
}

async function* conversations(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let after = 0; ;) {
    const places = await read.all(placesOf, key, after, PAGE);
    for (const place of places) {
      const members = await read.all(participantsOf, place.key);
      const muted = await read.all(mutedChannels, key, place.key);
      yield [
        {
          id: idText(place.id),
          kind: place.kind,
          title: place.title,
          role: place.role,
          joined_at: time(place.joined_at),
          is_muted: place.is_muted === 1,
          muted_until: place.muted_until === null ? undefined : time(place.muted_until),
          muted_channels: muted.map(({ title, muted_until }) => ({
            title,
            muted_until: muted_until === null ? undefined : time(muted_until),
          })),
          last_read_message_id: place.read_id && idText(place.read_id),
          is_pinned: place.pin_order !== null,
          is_archived: place.archived_key !== null,
          is_marked_unread: place.is_marked_unread === 1,
          folder: place.folder ?? undefined,
          cleared_up_to_message_id: place.cleared_id ? idText(place.cleared_id) : undefined,
          members: members.map((row) => ({ ...actorOf(row), role: row.role })),
        },
      ];
    }
    const last = places.at(-1);
    if (!last || places.length < PAGE) return;
    after = last.key;
  }
}

async function* hidden(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let after = 0; ;) {
    const rows = await read.all(hiddenBy, key, after, PAGE);
    yield rows.map(({ id }) => idText(id));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.key;
  }
}

async function* blocked(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let place: readonly [number, number] = [Number.MAX_SAFE_INTEGER, 0]; ;) {
    const rows = await read.all(blocksOf, key, ...place, PAGE);
    const page: unknown[] = [];
    for (const { blocked_key, created_at } of rows) {
      const account = await read.get(accountByKey, blocked_key);
      page.push({ username: account?.username, created_at: time(created_at) });
    }
    yield page;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.created_at, last.blocked_key];
  }
}

/** One of the account's agents, with the values that its owner has set for everyone. */
async function agent(read: Sql, row: AccountRow): Promise<unknown> {
  const schema = await read.get(botSchema, row.key);
  const shared = await read.get(ownerConfig, row.key);
  const servers = await read.all(toolServersOf, row.key);
  return {
    account: accountRecord(row),
    is_public: row.is_public === 1,
    visibility: visibilityOf(row),
    template: schema?.template,
    config_schema: schema && (JSON.parse(schema.config_schema) as unknown),
    secret_schema: schema && (JSON.parse(schema.secret_schema) as unknown),
    commands: schema?.commands ? (JSON.parse(schema.commands) as unknown) : undefined,
    handles_actions: schema?.handles_actions ? true : undefined,
    config: shared && (JSON.parse(shared.config) as unknown),
    show_on_profile: shared && (JSON.parse(shared.published) as unknown),
    base_url: shared?.base_url ?? undefined,
    context: shared?.context ? (JSON.parse(shared.context) as unknown) : undefined,
    pays_for: shared?.pays_for ?? undefined,
    built_in_tools: shared?.built_in_tools ? (JSON.parse(shared.built_in_tools) as unknown) : undefined,
    titles: shared?.titles === 0 ? false : undefined,
    allowed_models: shared?.allowed_models ? (JSON.parse(shared.allowed_models) as unknown) : undefined,
    asker_daily_tokens: shared?.asker_daily_tokens ?? undefined,
    monthly_token_cap: shared?.monthly_token_cap ?? undefined,
    group_monthly_tokens: shared?.group_monthly_tokens ?? undefined,
    tool_servers: servers.map(({ name, url, identity, auth, approval, tools }) => ({
      name,
      url,
      identity,
      auth,
      approval,
      tools: tools === null ? undefined : (JSON.parse(tools) as unknown),
    })),
  };
}

/** All that the ledger has, without what the calls were given and have answered (CALL-14). */
async function* toolCalls(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let place: [number, number] = [Number.MAX_SAFE_INTEGER, 0]; ;) {
    const rows = await read.all(shownCalls, key, 0, ...place, '', '', '', PAGE);
    yield rows.map((row) => callRecord(row, key));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.created_at, last.key];
  }
}

/** Without the ids, which are for taking them back. */
async function* toolGrants(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let place: [number, Uint8Array] = [Number.MAX_SAFE_INTEGER, new Uint8Array()]; ;) {
    const rows = await read.all(shownGrants, key, ...place, PAGE);
    yield rows.map((row) => ({ ...grantRecord(row), grant_id: undefined }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.created_at, last.id];
  }
}

/** Usage of the account's agents, day by day, as getUsage reports it to their owner. */
async function* usage(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (let place: [number, number, Uint8Array, number] = [0, 0, new Uint8Array(), 0]; ;) {
    const rows = await read.all(usageLines, key, ...place, PAGE);
    const page: unknown[] = [];
    for (const row of rows) {
      const { agent_key, human_key, chat_id, day, input_tokens, output_tokens, owner_key_tokens, replies } = row;
      page.push({
        agent: row.agent,
        username: row.username,
        conversation_id: idText(chat_id),
        date: time(day * DAY_MS).slice(0, 10),
        input_tokens,
        output_tokens,
        owner_key_tokens,
        replies,
        prices: await read.all(pricesOfUsage, key, agent_key, human_key, chat_id, day, day),
      });
    }
    yield page;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    place = [last.agent_key, last.human_key, last.chat_id, last.day];
  }
}
