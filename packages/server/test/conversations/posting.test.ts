import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { historyOf } from '../helpers/message-stage.ts';
import { LATER_MS, scene as scheduledScene } from '../helpers/scheduled-stage.ts';

const forbidden = { status: 403 };
const yesNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** A group of ann (owner), bob (admin) and cleo (member), in which only managers write. */
async function scene(world: World) {
  const { ann, bob, cleo } = await world.people('ann', 'bob', 'cleo');
  const chat = await world.group(ann, bob, cleo);
  const chat_id = chat.id;
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'admin' });
  const only = () => ann.api.setChatPosting({ chat_id, posting: 'managers' });
  return { ann, bob, cleo, chat, chat_id, only };
}

test('POST-1, POST-2: owner and admins set who writes; sockets with `ext` and replays follow', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, chat_id } = await scene(world);
  const ext = await cleo.socket('ext');
  const set = (posting: 'everyone' | 'managers', who = ann) => who.api.setChatPosting({ chat_id, posting });
  await checkReplay(world, [ann, cleo], async () => {
    expect(await set('managers', bob)).toMatchObject({ id: chat_id, posting: 'managers' });
    await set('managers');
  });
  await checkReplay(world, [ann, cleo], () => set('everyone'));
  await world.settle();
  const sent = ext.all('conversationUpdated').flatMap((params) => params.posting ?? []);
  expect(sent).toEqual(['managers', 'everyone']);
  await expect(set('managers', cleo)).rejects.toMatchObject(forbidden);
  const { id: direct } = await world.direct(ann, bob);
  await expect(ann.api.setChatPosting({ chat_id: direct, posting: 'managers' })).rejects.toMatchObject(forbidden);
});

/** Every way in which an account writes a message, or changes one that others read. */
const ways: Readonly<Record<string, (who: Actor, chat_id: string, own: Message) => Promise<unknown>>> = {
  message: (who, chat_id) => who.api.sendMessage({ chat_id, text: 'x' }),
  thread: (who, chat_id, { id }) => who.api.sendMessage({ chat_id, text: 'x', thread_root_id: id }),
  poll: (who, chat_id) => who.api.sendMessage({ chat_id, text: '', poll: { question: '?', options: ['a', 'b'] } }),
  decision: (who, chat_id) => who.api.askDecision({ chat_id, text: '?', options: yesNo }),
  forward: (who, chat_id, { id }) => who.api.forwardMessages({ message_ids: [id], to_chat_id: chat_id }),
  edit: (who, _chat, { id }) => who.api.editMessage({ message_id: id, text: 'changed' }),
  later: (who, chat_id) =>
    who.api.scheduleMessage({ chat_id, text: 'x', send_at: new Date(Date.now() + 3_600_000).toISOString() }),
  preview: (who, chat_id) => who.api.previewDispatch({ chat_id, text: 'x' }),
};

test('POST-3: a member gets 403 for everything that others would read, managers do not', async () => {
  await using world = await createWorld();
  const { ann, bob, cleo, chat_id, only } = await scene(world);
  const written = new Map<Actor, Message>();
  for (const who of [ann, bob, cleo])
    written.set(who, await who.api.sendMessage({ chat_id, text: `of ${who.username}` }));
  await only();
  for (const [way, write] of Object.entries(ways))
    for (const [who, own] of written)
      if (who === cleo) await expect(write(who, chat_id, own), way).rejects.toMatchObject(forbidden);
      else await expect(write(who, chat_id, own), `${way} of ${who.username}`).resolves.toBeDefined();
  // A role counts from the moment in which it is given.
  await ann.api.setMemberRole({ chat_id, username: 'cleo', role: 'admin' });
  await cleo.api.sendMessage({ chat_id, text: 'now' });
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'member' });
  await expect(bob.api.sendMessage({ chat_id, text: 'x' })).rejects.toMatchObject(forbidden);
});

test('POST-3: a retry of what was sent before is answered with the stored message', async () => {
  await using world = await createWorld();
  const { cleo, chat_id, only } = await scene(world);
  const sent = { chat_id, text: 'hello', client_msg_id: 'c0ffee00-0000-4000-8000-000000000000' };
  const { id } = await cleo.api.sendMessage(sent);
  await only();
  expect((await cleo.api.sendMessage(sent)).id).toBe(id);
});

test('POST-3: a scheduled message of a member fails at its time', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, schedule, pass } = await scheduledScene(world, clock);
  await bob.api.scheduleMessage({ chat_id, text: 'of bob', send_at: at(LATER_MS) });
  await schedule('of alice', LATER_MS);
  await alice.api.setChatPosting({ chat_id, posting: 'managers' });
  await pass(LATER_MS);
  expect((await historyOf(alice, chat_id)).map(({ content }) => content)).toEqual(['of alice']);
  expect((await bob.api.getScheduledMessages({})).items).toMatchObject([
    { text: 'of bob', failed: { code: 'forbidden' } },
  ]);
});

test('POST-4: agents answer whom they would answer; retryReply of a member is 403', async () => {
  await using world = await createWorld();
  const { ann, cleo, chat, chat_id, only } = await scene(world);
  const agent = await keyedAgent(world, cleo);
  await cleo.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const bot = await botIn(world, cleo, chat);
  world.providers.script(agent.key, { chunks: ['first'] }, { chunks: ['second'] });
  await cleo.api.sendMessage({ chat_id, text: `@${agent.username} ?` });
  await world.turnsEnded();
  const reply = (await historyOf(cleo, chat_id)).at(-1) as Message; // the agent's reply
  await only();
  await expect(cleo.api.retryReply({ message_id: reply.id })).rejects.toMatchObject(forbidden);
  const question = await ann.api.sendMessage({ chat_id, text: `@${agent.username} @${bot.username} ?` });
  await world.turnsEnded();
  const stream = await bot.api.startMessageStream({ chat_id, reply_to_message_id: question.id });
  await bot.api.finishMessageStream({ message_id: stream.id, text: 'third' });
  const texts = (await historyOf(ann, chat_id)).map(({ content }) => content);
  expect(texts).toEqual(expect.arrayContaining(['second', 'third']));
  // It has answered; anything more is its own.
  await expect(bot.api.startMessageStream({ chat_id, reply_to_message_id: question.id })).rejects.toMatchObject(
    forbidden,
  );
});

test('POST-5: a bot writes by the role of its owner', async () => {
  await using world = await createWorld();
  const { bob, ann, cleo, chat, chat_id, only } = await scene(world);
  const [ofAdmin, ofMember] = [await botIn(world, bob, chat), await botIn(world, cleo, chat)];
  await only();
  const write = [
    (bot: Actor) => bot.api.sendMessage({ chat_id, text: 'x' }),
    (bot: Actor) => bot.api.startMessageStream({ chat_id }),
  ];
  for (const way of write) {
    await way(ofAdmin);
    await expect(way(ofMember)).rejects.toMatchObject(forbidden);
  }
  await ann.api.setMemberRole({ chat_id, username: 'bob', role: 'member' });
  for (const way of write) await expect(way(ofAdmin)).rejects.toMatchObject(forbidden);
});

test('POST-6: members react, vote, decide, press buttons, and remove the preview of their own message', async () => {
  await using world = await createWorld();
  const { ann, cleo, chat, chat_id, only } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const own = await cleo.api.sendMessage({ chat_id, text: 'before' });
  await only();
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'news' });
  expect(await cleo.api.removeLinkPreview({ message_id: own.id })).toMatchObject({ link_preview: null });
  const poll = await ann.api.sendMessage({ chat_id, text: '', poll: { question: '?', options: ['a', 'b'] } });
  const question = await ann.api.askDecision({ chat_id, text: '?', options: yesNo });
  const shown = await bot.api.sendMessage({ chat_id, text: '{% button action="vote:yes" /%}' });
  await cleo.api.setMessageReaction({ message_id, emoji: '👍' });
  await cleo.api.votePoll({ message_id: poll.id, options: [0] });
  await cleo.api.decide({ decision_id: question.decision?.id ?? '', option: 'yes' });
  await cleo.api.sendComponentAction({ chat_id, message_id: shown.id, action: 'vote:yes' });
  await cleo.api.markRead({ chat_id, message_id });
});
