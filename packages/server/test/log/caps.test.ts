import type { Follower, TestSocket } from '@parley/testing';
import { compareAll } from '@parley/testing/model/follower.ts';
import { expect, test } from 'vitest';
import { ACTIVITY_MS, COALESCE_MS, focusOn, type Scene, scene, seen, subsets } from './caps-stage.ts';

/** Alice writes; the bot streams a line, appends, replaces its text and finishes, with typing events. */
async function play({ alice, chatId, begin, pass }: Scene): Promise<void> {
  await alice.api.sendMessage({ chat_id: chatId, text: 'well?' });
  const reply = await begin();
  await reply.append('one line\nand');
  await reply.append(' another');
  await pass(COALESCE_MS);
  await reply.replace('one line\nand no other');
  await pass(ACTIVITY_MS);
  await reply.finish();
  await pass(0);
}

const whole = ['messageNew', 'placeholder', 'messageDelta', 'messageDelta', 'snapshot', 'messageComplete'];
const patched = [
  'messageNew',
  'placeholder',
  'messageDraftPatch',
  'messageDraftPatch',
  'messageDraftPatch',
  'messageComplete',
];
const active = ['messageNew', 'draftActivity', 'draftActivity', 'messageComplete'];
const finished = ['messageNew', 'messageComplete'];

test.each([
  ['', whole, whole],
  ['patch', patched, patched],
  ['focus', active, whole],
  ['patch,focus', active, patched],
  ['focus, patch, unknown', active, patched],
  ['nodrafts', finished, finished],
  ['nodrafts,patch', finished, finished],
  ['focus,nodrafts', finished, finished],
  ['patch,nodrafts,focus', finished, finished],
])(
  'CAPS-1, CAPS-3: a socket with the caps "%s" gets the frames of a reply in the form that they ask for',
  async (caps, elsewhere, here) => {
    await using stage = await scene();
    const { bob, chatId } = stage;
    const away = await bob.socket(caps);
    const there = await bob.socket(caps);
    await focusOn(there, chatId);
    await play(stage);
    expect(seen(away)).toEqual(elsewhere);
    expect(seen(there)).toEqual(here);
    const typing = caps.includes('nodrafts') ? [] : [true, false];
    expect(there.all('typing').map(({ is_typing }) => is_typing)).toEqual(typing);
    // The first frame's prev is hello's head: the chain has no gap (LOG-6, LOG-16).
    expect(away.frames[0]?.prev).toBe(away.hello.head);
    // A new socket's head is the last frame number of a socket with the same caps.
    const later = await bob.socket(caps);
    expect(later.hello.head).toBe(away.frames.at(-1)?.seq);
  },
);

test('CAPS-2: a socket with nodrafts gets no open reply even on request', async () => {
  await using stage = await scene();
  const socket = await stage.bob.socket('nodrafts,patch,focus');
  const reply = await stage.begin();
  await reply.append('text');
  await focusOn(socket, stage.chatId);
  await socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: [reply.id] });
  await stage.pass(ACTIVITY_MS);
  expect(socket.frames).toEqual([]);
});

test('CAPS-4: getUpdates applies the caps and the current focus of the socket', async () => {
  await using stage = await scene();
  const { alice, bob, chatId, begin, pass } = stage;
  const { head: since } = await alice.api.getUpdates({ since: 0 });
  const { id: channel_id } = await alice.api.createChannel({ chat_id: chatId, title: 'other' });
  const main = await begin();
  const other = await begin({ channel_id });
  for (const reply of [main, other]) await reply.append('some\ntext');
  await pass(ACTIVITY_MS);
  const updates = async (socket: TestSocket) => {
    const { frames, head } = await bob.api.getUpdates({ since, socket: socket.hello.socket });
    expect(frames.at(-1)?.seq ?? 0).toBeLessThanOrEqual(head);
    // Snapshots that the socket alone was sent do not count (CAPS-9), except those of the answer.
    expect(head).toBe(Math.max(socket.hello.head, frames.at(-1)?.seq ?? 0));
    return frames.map(
      ({ method, params }) => `${method.replace('events.', '')} ${params['id'] === main.id ? 'main' : 'other'}`,
    );
  };
  for (const caps of ['focus', 'patch,focus', 'focus,patch']) {
    const socket = await bob.socket(caps);
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'draftActivity other']);
    await focusOn(socket, chatId);
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity other', 'messageNew main']);
    await focusOn(socket, chatId, { channel_id });
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'messageNew other']);
    await socket.rpc('wsFocus', { socket: socket.hello.socket, focus: null });
    expect((await updates(socket)).toSorted()).toEqual(['draftActivity main', 'draftActivity other']);
  }
  for (const caps of ['', 'patch'])
    expect((await updates(await bob.socket(caps))).toSorted()).toEqual(['messageNew main', 'messageNew other']);
  expect(await updates(await bob.socket('nodrafts,focus'))).toEqual([]);
});

test.each(['patch', 'focus', 'patch,focus'])(
  'CAPS-4, CAPS-10: a client that returns with the caps "%s" gets what was written while no socket received it',
  async (caps) => {
    await using stage = await scene();
    const { bob, chatId, begin, pass, clock } = stage;
    const before = await begin();
    const follower = bob.follower(caps);
    await follower.load();
    await follower.connect();
    await before.append('heard');
    await pass(ACTIVITY_MS);
    await follower.drop();
    await before.append(', unheard');
    await pass(ACTIVITY_MS);
    await follower.connect();
    await pass(0);
    await follower.compare();
    if (caps === 'patch') expect(follower.state.find(before.id)?.content).toBe('heard, unheard');
    else expect(follower.state.activity.get(before.id)?.preview).toBe('heard, unheard');
    await follower.drop();
    const during = await begin();
    await pass(ACTIVITY_MS);
    await during.append('begun and gone on');
    await pass(ACTIVITY_MS);
    await follower.connect();
    await pass(0);
    await follower.compare();
    if (caps !== 'patch') expect(follower.state.activity.get(during.id)?.preview).toBe('begun and gone on');
    await follower.setFocus({ conversation_id: chatId, channel_id: null, thread_root_id: null });
    await before.append('.');
    await pass(COALESCE_MS);
    await clock.advance(ACTIVITY_MS);
    await pass(0);
    await follower.compare();
    expect(follower.state.find(before.id)?.content).toBe('heard, unheard.');
  },
);

test('LOG-17: when a reply ends while it is being sent, clients with any caps end in the state of a fresh fetch', async () => {
  await using stage = await scene();
  const { bob, begin, pass, chatId } = stage;
  const followers: Follower[] = [];
  for (const caps of subsets) {
    const follower = await bob.follow(caps);
    if (follower.has('focus'))
      await follower.setFocus({ conversation_id: chatId, channel_id: null, thread_root_id: null });
    followers.push(follower);
  }
  const reply = await begin();
  await reply.append('one\ntwo\n');
  await reply.replace('one\nthree\n');
  const message = await reply.finish();
  await pass(0);
  await compareAll(followers);
  for (const { state } of followers) expect(state.find(reply.id)).toEqual(message);
});
