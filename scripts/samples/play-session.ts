import { letProgramIn } from './play-programs.ts';
import { dateAfter } from '@parley/protocol/dates';
import { Actor, type ManualClock, type TestSocket, unknownId, type World } from '@parley/testing';
import type { FakeToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { administration } from './play-administration.ts';
import { signInElsewhere } from './play-sign-in.ts';
import { agents, teardown } from './play-agents.ts';
import { decisions } from './play-decisions.ts';
import { files } from './play-files.ts';
import { organization } from './play-organization.ts';
import { people } from './play-people.ts';
import { polls } from './play-polls.ts';
import { secondFactor } from './play-second-factor.ts';
import { tools } from './play-tools.ts';
import type { Recorder } from './recorder.ts';

const password = 'correct horse battery staple';

/** The participants, and the group that they share. */
export interface Cast {
  world: World;
  clock: ManualClock;
  recorder: Recorder;
  ann: Actor;
  bob: Actor;
  cid: Actor;
  ofAnn: TestSocket;
  ofBob: TestSocket;
  chat_id: string;
}

/** A session that calls every operation at least once and triggers every event. */
export async function playSession(
  world: World,
  clock: ManualClock,
  recorder: Recorder,
  toolServer: FakeToolServer,
): Promise<void> {
  const { cast, session_id } = await accounts(world, clock, recorder);
  await conversations(cast);
  await messages(cast);
  await polls(cast);
  await administration(cast);
  await signInElsewhere(cast);
  await organization(cast);
  await decisions(cast);
  await files(cast);
  await people(cast);
  await notes(cast);
  await library(cast);
  await notifications(cast);
  await tools(cast, toolServer);
  const bot = await agents(cast);
  await teardown(cast, bot);
  await ending(cast, session_id);
}

async function accounts(world: World, clock: ManualClock, recorder: Recorder) {
  // The first error of each code is the sample for operations without their own.
  await recorder.refuse('getMe', { token: '', request: {} });
  await recorder.call('', 'getServerInfo', {});
  const device = { name: 'Laptop', platform: 'web', app_version: '1.0.0' };
  const join = async (username: string, display_name: string) => {
    const { token } = await recorder.call('', 'signUp', { username, password, display_name, device });
    return new Actor(world, username, token);
  };
  const [ann, bob, cid, dan] = [
    await join('ann', 'Ann'),
    await join('bob', 'Bob'),
    await join('cid', 'Cid'),
    await join('dan', 'Dan'),
  ];
  await recorder.refuse('signUp', { token: '', request: { username: 'ann', password } });
  recorder.stranger = dan.token;
  const phone = { name: 'Phone', platform: 'ios' };
  const { token, session } = await recorder.call('', 'signIn', { username: 'ann', password, device: phone });
  await recorder.refuse('signIn', { token: '', request: { username: 'ann', password: 'a wrong password' } });
  await recorder.call(ann.token, 'getMe', {});
  await recorder.call(ann.token, 'getUser', { username: 'bob' });
  await recorder.call(ann.token, 'getUsers', { query: 'b', limit: 10 });
  await recorder.call(ann.token, 'getSessions', {});
  const access = await recorder.call(ann.token, 'createAccessToken', { name: 'Claude', scopes: ['read'] });
  await recorder.call(ann.token, 'getAccessTokens', {});
  await recorder.call(ann.token, 'revokeAccessToken', { id: access.id });
  await secondFactor(recorder, clock, ann.token, password);
  await letProgramIn(recorder, world, ann.token);
  // Ann's phone receives what happens on her laptop.
  const ofAnn = await new Actor(world, 'ann', token).socket();
  const ofBob = await bob.socket('ext');
  await ann.socket('patch');
  return { cast: { world, clock, recorder, ann, bob, cid, ofAnn, ofBob, chat_id: '' }, session_id: session.id };
}

async function conversations(cast: Cast): Promise<void> {
  const { recorder, ann, bob } = cast;
  const { id: chat_id } = await recorder.call(ann.token, 'startChat', { usernames: ['bob'], title: 'Trip' });
  cast.chat_id = chat_id;
  await recorder.call(ann.token, 'addMembers', { chat_id, usernames: ['cid'] });
  await recorder.call(ann.token, 'setMemberRole', { chat_id, username: 'cid', role: 'admin' });
  await recorder.call(ann.token, 'setChatTitle', { chat_id, title: 'Trip to the sea' });
  await recorder.call(ann.token, 'setChatDescription', { chat_id, description: 'Who goes when, and with what' });
  await recorder.call(ann.token, 'createChannel', { chat_id, title: 'Tickets' });
  await invites(cast);
  await publicGroups(cast);
  await webhooks(cast);
  await recorder.call(ann.token, 'getMembers', { chat_id, limit: 2 });
  await recorder.call(bob.token, 'setChatNotifications', { chat_id, is_muted: true, mute_for: 3_600 });
  const { items } = await recorder.call(bob.token, 'setFolders', {
    folders: [{ name: 'Holidays', rule: { kinds: ['groups'], without_muted: true } }],
  });
  await recorder.call(bob.token, 'getFolders', {});
  await recorder.call(bob.token, 'setChatState', { chat_id, is_pinned: true, folder_id: items[0]?.id });
  await recorder.call(bob.token, 'orderPinnedChats', { chat_ids: [chat_id] });
  await recorder.call(bob.token, 'getChat', { chat_id });
  await presence(cast);
}

async function presence({ world, clock, recorder, bob, cid, ofBob }: Cast): Promise<void> {
  // Somebody whom others have added is not shown before it does something (PRESENCE-3).
  await cid.api.startChat({ username: 'bob' });
  await recorder.call(bob.token, 'getPresence', { usernames: ['ann', 'cid'] });
  await ofBob.rpc('getPresence', { usernames: ['cid'] });
  await cid.socket('focus');
  const until = new Date(dateAfter(clock.now(), 3_600_000)).toISOString();
  await recorder.call(cid.token, 'setStatus', { emoji: '🍜', text: 'At lunch', until });
  await world.settle();
  await clock.advance(3_000);
}

async function invites({ recorder, ann, bob, chat_id }: Cast): Promise<void> {
  const { id: invite_id, token } = await recorder.call(ann.token, 'createInvite', {
    chat_id,
    expires_in: 86_400,
    max_uses: 10,
  });
  await recorder.call('', 'getInvite', { token });
  await recorder.call(bob.token, 'joinChat', { token });
  await recorder.call(ann.token, 'getInvites', { chat_id });
  await recorder.call(ann.token, 'revokeInvite', { invite_id });
  await recorder.refuse('joinChat', { token: bob.token, request: { token } });
}

async function publicGroups({ recorder, ann, bob }: Cast): Promise<void> {
  const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'News of the house' });
  await recorder.call(ann.token, 'setChatVisibility', { chat_id, visibility: 'public' });
  await recorder.call(ann.token, 'setChatPosting', { chat_id, posting: 'managers' });
  await recorder.call(ann.token, 'setDefaultChats', { chat_ids: [chat_id] });
  await recorder.call(bob.token, 'browseChats', { query: 'news' });
  await bob.api.joinChat({ chat_id });
  const name = 'support';
  await recorder.call(ann.token, 'createUserGroup', { name, title: 'Support', usernames: ['bob'] });
  await recorder.call(ann.token, 'updateUserGroup', { name, usernames: ['bob', 'cid'] });
  await recorder.call(bob.token, 'getUserGroups', {});
  await recorder.call(ann.token, 'deleteUserGroup', { name });
  await ann.api.setDefaultChats({ chat_ids: [] });
}

async function webhooks({ world, recorder, ann, chat_id }: Cast): Promise<void> {
  const { id: webhook_id, url } = await recorder.call(ann.token, 'createWebhook', { chat_id, display_name: 'Builds' });
  const headers = { 'content-type': 'application/json' };
  await fetch(world.url + new URL(url).pathname, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'Build 217 is **green**.' }),
  });
  await recorder.call(ann.token, 'getWebhooks', { chat_id });
  await recorder.call(ann.token, 'deleteWebhook', { webhook_id });
  const { id: subscription_id, seq } = await recorder.call(ann.token, 'createWebhookSubscription', {
    url: 'https://hooks.example/parley',
    events: ['messageNew', 'messageComplete'],
    chat_id,
    // The service makes one otherwise, at random.
    secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  });
  await recorder.call(ann.token, 'getWebhookSubscriptions', {});
  await recorder.call(ann.token, 'replayWebhook', { subscription_id, from_seq: seq });
  await recorder.call(ann.token, 'deleteWebhookSubscription', { subscription_id });
}

async function messages(cast: Cast): Promise<void> {
  const { world, recorder, ann, bob, ofAnn, chat_id } = cast;
  await recorder.call(bob.token, 'sendChatAction', { chat_id, action: 'typing' });
  await world.settle();
  const hello = await recorder.call(bob.token, 'sendMessage', {
    chat_id,
    text: '@ann shall we take the **early** train?',
    client_msg_id: '5b0c1b8e-5d0f-4c3a-9f41-2f8e6f1d7a10',
  });
  const message_id = hello.id;
  await recorder.refuse('sendMessage', {
    token: bob.token,
    request: { chat_id, text: 'another', client_msg_id: '5b0c1b8e-5d0f-4c3a-9f41-2f8e6f1d7a10' },
  });
  await recorder.refuse('sendMessage', { token: bob.token, request: { chat_id, text: 'x'.repeat(40_000) } });
  await recorder.refuse('sendMessage', {
    token: bob.token,
    request: 'chat_id=1',
    type: 'application/x-www-form-urlencoded',
  });
  const params = { conversation_id: chat_id, content: 'Yes, at 7!', reply_to_id: message_id };
  await ofAnn.rpc('messages.send', params);
  recorder.asked({ id: 1, method: 'messages.send', params });
  await ofAnn.rpc('conversations.get', { conversation_id: unknownId }).catch(() => {});
  await recorder.call(ann.token, 'setMessageReaction', { message_id, emoji: '👍' });
  await recorder.call(ann.token, 'setMessageReaction', { message_id, emoji: '👍', remove: true });
  await recorder.call(bob.token, 'editMessage', { message_id, text: '@ann shall we take the **later** train?' });
  await recorder.call(bob.token, 'removeLinkPreview', { message_id });
  const notes = await ann.api.startChat({ username: 'ann' });
  const forwarded = {
    message_ids: [message_id],
    to_chat_id: notes.id,
    client_msg_id: 'c4a7f2d9-0b6e-4e58-8a35-71d2e0b94c63',
  };
  await recorder.call(ann.token, 'forwardMessages', forwarded);
  await recorder.call(ann.token, 'pinMessage', { chat_id, message_id });
  await recorder.call(ann.token, 'unpinMessage', { chat_id, message_id });
  await recorder.call(ann.token, 'getInbox', { limit: 1 });
  await recorder.call(ann.token, 'markRead', { chat_id, message_id });
  await recorder.call(ann.token, 'setInboxDone', { message_ids: [message_id] });
  await recorder.call(ann.token, 'getReadPosition', { chat_id });
  await recorder.call(ann.token, 'getUnreadMentions', { chat_id });
  await recorder.call(bob.token, 'getMessageReaders', { message_id });
  await recorder.call(ann.token, 'saveDraft', { chat_id, text: 'I could also', origin: 'tab-7' });
  await recorder.call(ann.token, 'getDrafts', {});
  await recorder.call(ann.token, 'getChatHistory', { chat_id, limit: 1 });
  await recorder.call(ann.token, 'getMessages', { message_ids: [message_id] });
  await recorder.call(ann.token, 'searchMessages', { query: 'early tra', chat_id, limit: 1 });
  await recorder.call(ann.token, 'getChats', { limit: 1 });
  await recorder.call(ann.token, 'searchChats', { query: 'QQ', limit: 1 });
  await recorder.call(ann.token, 'saveDraft', { chat_id, thread_root_id: message_id, text: 'By the way' });
  await later(cast, message_id);
  const { id: mistake } = await recorder.call(bob.token, 'sendMessage', { chat_id, text: 'wrong window' });
  await recorder.call(ann.token, 'deleteMessagesForMe', { message_ids: [mistake] });
  await recorder.call(bob.token, 'deleteMessages', { message_ids: [mistake] });
  await recorder.call(ann.token, 'clearChat', { chat_id });
  await recorder.call(ann.token, 'pushAlert', {
    to_username: 'bob',
    title: 'CI',
    text: 'the build is red',
    level: 'error',
  });
  await recorder.call(ann.token, 'getUpdates', { since: ofAnn.hello.head, limit: 2 });
  await world.settle();
}

async function later({ recorder, ann, chat_id }: Cast, message_id: string): Promise<void> {
  const socket = await ann.socket('ext');
  const send_at = '2026-02-02T08:00:00+01:00';
  const scheduled = { chat_id, text: 'Good morning! Shall we go?', send_at };
  const { id } = await recorder.call(ann.token, 'scheduleMessage', scheduled);
  const other = await recorder.call(ann.token, 'scheduleMessage', { ...scheduled, text: 'Bring an umbrella' });
  await recorder.call(ann.token, 'getScheduledMessages', { chat_id });
  const place = { chat_id, scheduled_id: id };
  await recorder.call(ann.token, 'editScheduledMessage', { ...place, text: 'Good morning! Shall we go at nine?' });
  await recorder.call(ann.token, 'sendScheduledMessage', place);
  await recorder.call(ann.token, 'cancelScheduledMessage', { chat_id, scheduled_id: other.id });
  const when = { every: 'week' as const, days: [1, 2, 3, 4, 5], at: '09:00', zone: 'Europe/Berlin' };
  await recorder.call(ann.token, 'previewSchedule', { when, count: 3 });
  const weekdays = { chat_id, text: 'Good morning! What is on today?', when };
  const { id: schedule_id } = await recorder.call(ann.token, 'createSchedule', weekdays);
  await recorder.call(ann.token, 'runSchedule', { schedule_id });
  await recorder.call(ann.token, 'getSchedules', { chat_id });
  await recorder.call(ann.token, 'pauseSchedule', { schedule_id, paused: true });
  await recorder.call(ann.token, 'deleteSchedule', { schedule_id });
  const { id: reminder_id } = await recorder.call(ann.token, 'remindMe', { message_id, remind_at: send_at });
  await recorder.call(ann.token, 'getReminders', {});
  await recorder.call(ann.token, 'cancelReminder', { reminder_id });
  await socket.event('scheduledChanged');
  await socket.close();
}

/** What an agent is to remember. */
async function notes({ recorder, ann }: Cast): Promise<void> {
  const socket = await ann.socket('ext');
  const agent_username = 'ann:provider_a';
  await recorder.call(ann.token, 'updateAgent', { username: agent_username, built_in_tools: ['remember', 'forget'] });
  const { id: chat_id } = await recorder.call(ann.token, 'startChat', { username: agent_username });
  const place = { chat_id, agent_username };
  const { id: note_id } = await recorder.call(ann.token, 'createNote', { ...place, text: 'Ann likes short answers' });
  await recorder.call(ann.token, 'updateNote', { note_id, text: 'Ann likes short answers, in English' });
  await recorder.call(ann.token, 'getNotes', place);
  await recorder.call(ann.token, 'deleteNote', { note_id });
  await socket.event('notesChanged');
  await socket.close();
}

/** What an agent is to answer from. */
async function library({ recorder, ann }: Cast): Promise<void> {
  const socket = await ann.socket('ext');
  const username = 'ann:provider_a';
  const file = await ann.api.uploadFile({ file: new File(['# Huts\n\nThe hut opens in May.'], 'Huts.md') });
  const { id: source_id } = await recorder.call(ann.token, 'addAgentSource', { username, file_id: file.id });
  await socket.event('agentSourcesChanged');
  await recorder.call(ann.token, 'setAgentSource', { source_id, title: 'Huts and when they open', open: true });
  await recorder.call(ann.token, 'getAgentSources', { username });
  await recorder.call(ann.token, 'readAgentSource', { source_id });
  await recorder.call(ann.token, 'removeAgentSource', { source_id });
  await socket.close();
}

async function notifications({ recorder, ann }: Cast): Promise<void> {
  const category = { enabled: true, preview: true, sound: false };
  await recorder.call(ann.token, 'getNotificationPrefs', {});
  await recorder.call(ann.token, 'setNotificationPrefs', {
    private_chats: category,
    group_chats: { ...category, preview: false },
    message_preview: true,
    badge: { enabled: true, include_groups: false, count_messages: true },
  });
  await recorder.call(ann.token, 'setDeviceNotificationPrefs', {
    enabled: true,
    in_app: { sounds: true, vibrate: false, preview: true },
  });
  const token = '0123456789abcdef'.repeat(4);
  await recorder.call(ann.token, 'registerPushToken', { token, platform: 'ios' });
  await recorder.call(ann.token, 'unregisterPushToken', { token });
}

async function ending({ world, clock, recorder, ann, ofAnn }: Cast, session_id: string): Promise<void> {
  await clock.advance(25_000); // a heartbeat
  await world.settle();
  await recorder.call(ann.token, 'terminateSession', { session_id });
  await ofAnn.closed;
  await recorder.call(ann.token, 'terminateOtherSessions', {});
  await recorder.call(ann.token, 'signOut', {});
  await recorder.visit('/api/getServerInfo'); // with GET
  for (let tries = 0; tries < 6; tries += 1)
    await recorder.refuse('signIn', { token: '', request: { username: 'bob', password: 'a wrong password' } });
  await world.drain(0);
  await recorder.visit('/readyz');
}
