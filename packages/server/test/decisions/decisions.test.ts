import { checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { asked, refused, scene, yesNo } from './scene.ts';

test('DECIDE-1: a decision is a message that names question and options; it fires nobody, mentions, and is retried as any', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, chat_id, ask } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const socket = await cleo.socket('ext');
  const text = `Deploy, @ben and @${bot.username}?`;
  const { message, decision_id, message_id } = await ask({ text, client_msg_id: 'one', expires_in: 3_600 });
  const [at] = [Date.parse(message.created_at) + 3_600_000];
  expect(message).toMatchObject({
    content: `${text}\n\n- Deploy\n- Wait`,
    mentions: ['ben', bot.username],
    dispatch: [],
    status: 'complete',
    decision: {
      kind: 'question',
      state: 'open',
      options: yesNo,
      deciders: 'anyone',
      expires_at: new Date(at).toISOString(),
    },
  });
  expect(message.decision).not.toHaveProperty('private');
  expect((await cleo.api.getMessages({ message_ids: [message_id] })).items).toEqual([message]);
  await world.settle();
  expect(socket.all('messageNew')).toEqual([message]);
  expect((await ben.api.getUnreadMentions({ chat_id })).items.map((item) => item.message_id)).toEqual([message_id]);

  const again = { text, client_msg_id: 'one', expires_in: 3_600 };
  expect((await ask(again)).decision_id).toBe(decision_id);
  await expect(ask({ ...again, expires_in: 60 })).rejects.toMatchObject(refused(409));
  await expect(ann.api.sendMessage({ chat_id, ...again })).rejects.toMatchObject(refused(409));
  await world.settle();
  expect(socket.all('messageNew')).toHaveLength(1);
});

test('DECIDE-2: what cannot be asked is 400, and elsewhere 403 and 404', async () => {
  await using world = await createWorld();
  const { ann, ben, stranger, chat, chat_id, ask } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const field = { key: 'city', label: 'City', type: 'string' as const };
  const eight = Array.from({ length: 8 }, (_, at) => ({ id: `o.${at}:_-A`, label: 'x'.repeat(80) }));
  await ask({ options: eight });
  await ask({ form: Array.from({ length: 20 }, (_, at) => ({ ...field, key: `f${at}` })) });
  await ask({ deciders: ['ben'], private: true, expires_in: 10 });
  await ask({ expires_in: 2_592_000 });
  for (const wrong of [
    { text: '' },
    { text: ' \n ' },
    { options: undefined },
    { options: [] },
    { options: [...eight, { id: 'nine', label: 'Nine' }] },
    { options: [...yesNo, ...yesNo] },
    { options: [{ id: '', label: 'x' }] },
    { options: [{ id: 'a b', label: 'x' }] },
    { options: [{ id: 'a'.repeat(65), label: 'x' }] },
    { options: [{ id: 'a', label: '' }] },
    { options: [{ id: 'a', label: ' ' }] },
    { options: [{ id: 'a', label: 'x'.repeat(81) }] },
    { options: [{ id: 'a', label: 'x', style: 'loud' as never }] },
    { form: [] },
    { form: Array.from({ length: 21 }, (_, at) => ({ ...field, key: `f${at}` })) },
    { form: [field, field] },
    { form: [{ ...field, type: 'select' as const }] },
    { deciders: [] },
    { deciders: 'nobody' as never },
    { deciders: ['ben', 'nobody'] },
    { deciders: ['stranger'] },
    { deciders: [bot.username] },
    { deciders: Array.from({ length: 51 }, () => 'ben') },
    { private: true },
    { private: true, deciders: 'anyone' as const },
    { private: true, deciders: 'admins' as const },
    { expires_in: 9 },
    { expires_in: 2_592_001 },
    { expires_in: 10.5 },
  ])
    await expect(ask(wrong), JSON.stringify(wrong)).rejects.toMatchObject(refused(400));
  await expect(ask({}, stranger)).rejects.toMatchObject(refused(403));
  const options = yesNo;
  await expect(ann.api.askDecision({ chat_id: unknownId, text: 'x', options })).rejects.toMatchObject(refused(404));
  await expect(ask({ reply_to_message_id: unknownId })).rejects.toMatchObject(refused(404));
  const direct = await ann.api.startChat({ username: 'ben' });
  const there = { chat_id: direct.id, text: 'x', options };
  await expect(ann.api.askDecision({ ...there, deciders: 'admins' })).rejects.toMatchObject(refused(400));
  await ben.api.blockUser({ username: 'ann' });
  await expect(ann.api.askDecision(there)).rejects.toMatchObject(refused(403));
  expect((await ann.api.getChat({ chat_id })).needs_you).toBe(3);
});

test('DECIDE-3, DECIDE-5, DECIDE-7: the first answer wins, and its text, event and message say so to everybody', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, ask, shown } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const { message, decision_id, message_id } = await ask({}, bot);
  const sockets = [await cleo.socket('ext'), await bot.socket('ext'), await bot.socket('ext')];
  const plain = await cleo.socket();
  await checkReplay(world, [ann, ben, cleo], async () => {
    const [one, other] = await Promise.allSettled([
      ben.api.decide({ decision_id, option: 'yes' }),
      cleo.api.decide({ decision_id, option: 'no' }),
    ]);
    const won = one.status === 'fulfilled' ? one.value : other.status === 'fulfilled' ? other.value : undefined;
    const lost = one.status === 'rejected' ? one.reason : other.status === 'rejected' ? other.reason : undefined;
    expect(won?.decision?.state).toBe('decided');
    expect(lost).toMatchObject({ status: 409, parameters: { decision: won?.decision } });
  });
  const now = await shown(message_id);
  const { decided_by, option } = now?.decision ?? {};
  const [by, label] = decided_by === 'ben' ? ['ben', 'Deploy'] : ['cleo', 'Wait'];
  expect(now).toMatchObject({
    content: `${message.content}\n\nDecided: ${label} (${by})`,
    content_revision: 2,
    decision: { id: decision_id, state: 'decided', decided_by: by, option: label === 'Deploy' ? 'yes' : 'no' },
  });
  expect(now).not.toHaveProperty('edited_at');
  const winner = by === 'ben' ? ben : cleo;
  expect(await winner.api.decide({ decision_id, option })).toEqual(now);
  for (const [actor, chosen] of [
    [winner, option === 'yes' ? 'no' : 'yes'],
    [ann, option],
  ] as const)
    await expect(actor.api.decide({ decision_id, option: chosen })).rejects.toMatchObject({
      status: 409,
      parameters: { decision: now?.decision },
    });
  await world.settle();
  const params = { conversation_id: chat.id, message_id, decision: now?.decision };
  for (const socket of sockets) {
    expect(socket.methods).toEqual(['messageUpdated', 'decisionUpdated']);
    expect(socket.all('decisionUpdated')).toEqual([params]);
  }
  expect(plain.methods).toEqual([]);
});

test('DECIDE-4, DECIDE-5: anyone, admins or those who are named decide; agents never, before anything is looked up', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, stranger, chat, chat_id, ask } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const option = 'yes';
  const [anyone, admins, named] = [
    await ask({}, bot),
    await ask({ deciders: 'admins' }, bot),
    await ask({ deciders: ['cleo', 'cleo'] }, bot),
  ];
  expect(named.message.decision?.deciders).toEqual(['cleo']);
  for (const [{ decision_id }, actor, status] of [
    [admins, ben, 403],
    [named, ben, 403],
    [named, ann, 403],
    [anyone, stranger, 404],
    [anyone, bot, 403],
    [{ decision_id: unknownId }, bot, 403],
    [{ decision_id: unknownId }, ann, 404],
  ] as const)
    await expect(actor.api.decide({ decision_id, option })).rejects.toMatchObject(refused(status));
  for (const wrong of [undefined, 'maybe', 'decline'])
    await expect(ben.api.decide({ decision_id: anyone.decision_id, option: wrong })).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'option' },
    });
  const plain = await ann.api.sendMessage({ chat_id, text: 'hello' });
  await expect(ann.api.decide({ decision_id: plain.id, option })).rejects.toMatchObject(refused(404));
  // People who came later and admins of today are deciders too.
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'admin' });
  await ann.api.addMembers({ chat_id, usernames: ['stranger'] });
  expect(await ben.api.decide({ decision_id: admins.decision_id, option })).toMatchObject({ decision: { option } });
  expect(await stranger.api.decide({ decision_id: anyone.decision_id, option })).toMatchObject({
    decision: { option },
  });
  await cleo.api.leaveChat({ chat_id });
  await expect(cleo.api.decide({ decision_id: named.decision_id, option })).rejects.toMatchObject(refused(404));
});

test('DECIDE-6: the values of a form go with every option but decline, keep their types, and are checked', async () => {
  await using world = await createWorld();
  const { ben, ask } = await scene(world);
  const form = [
    { key: 'city', label: 'City', type: 'string' as const, required: true },
    { key: 'note', label: 'Note', type: 'text' as const },
    { key: 'seats', label: 'Seats', type: 'number' as const },
    { key: 'window', label: 'Window', type: 'boolean' as const },
    { key: 'class', label: 'Class', type: 'select' as const, options: ['first', 'second'] },
  ];
  const first = await ask({ form });
  expect(first.message.decision).toMatchObject({ options: [{ id: 'submit' }, { id: 'decline' }], form });
  expect(first.message.content).toBe(
    'Deploy now?\n\nTo fill in: City, Note, Seats, Window, Class\n\n- Submit\n- Decline',
  );
  const { decision_id } = first;
  for (const [field, fields] of [
    ['city', undefined],
    ['city', {}],
    ['city', { city: ' ' }],
    ['city', { city: 5 }],
    ['note', { city: 'Rome', note: null }],
    ['seats', { city: 'Rome', seats: '2' }],
    ['window', { city: 'Rome', window: 'true' }],
    ['class', { city: 'Rome', class: 'third' }],
    ['other', { city: 'Rome', other: 'x' }],
    ['city', { city: 'x'.repeat(5_000) }],
  ] as const)
    await expect(ben.api.decide({ decision_id, fields }), JSON.stringify(fields)).rejects.toMatchObject({
      status: 400,
      parameters: { field },
    });
  const fields = { city: 'Rome', seats: 2, window: false, class: 'second' };
  expect(await ben.api.decide({ decision_id, fields })).toMatchObject({ decision: { option: 'submit', fields } });
  const turned = { class: 'second', window: false, seats: 2, city: 'Rome' };
  expect(await ben.api.decide({ decision_id, option: 'submit', fields: turned })).toMatchObject({ id: decision_id });
  await expect(ben.api.decide({ decision_id, fields: { ...fields, seats: 3 } })).rejects.toMatchObject(refused(409));

  const second = await ask({ form });
  const decline = { decision_id: second.decision_id, option: 'decline' };
  await expect(ben.api.decide({ ...decline, fields: { city: 'Rome' } })).rejects.toMatchObject(refused(400));
  const declined = await ben.api.decide(decline);
  expect(declined.decision).toMatchObject({ option: 'decline' });
  expect(declined.decision).not.toHaveProperty('fields');
  // A form beside options of its own.
  const both = await ask({ form, options: yesNo });
  await expect(ben.api.decide({ decision_id: both.decision_id, fields })).rejects.toMatchObject(refused(400));
  expect(await ben.api.decide({ decision_id: both.decision_id, option: 'no', fields })).toMatchObject({
    decision: { option: 'no', fields },
  });
});

test('DECIDE-7: its author cannot edit it, its copy and its search are text, and its deletion ends it', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat_id, ask, needs, inbox } = await scene(world);
  const { decision_id, message_id } = await ask({ text: 'Marmalade?' });
  await expect(ann.api.editMessage({ message_id, text: 'another' })).rejects.toMatchObject(refused(400));
  await ben.api.decide({ decision_id, option: 'no' });
  const content = 'Marmalade?\n\n- Deploy\n- Wait\n\nDecided: Wait (ben)';
  const [copy] = (await cleo.api.forwardMessages({ message_ids: [message_id], to_chat_id: chat_id })).items;
  expect(copy).toMatchObject({ content });
  expect(copy).not.toHaveProperty('decision');
  const found = await cleo.api.searchMessages({ query: 'marmalade' });
  expect(found.items.map((item) => item.message.id)).toContain(message_id);
  const exported = await fetch(world.url + (await ann.api.exportMyData()).url);
  expect(await exported.text()).toContain('Decided: Wait');

  const open = await ask();
  expect([await needs(cleo), await inbox(cleo)]).toEqual([1, [open.message_id]]);
  await checkReplay(world, [ann, ben, cleo], async () => {
    await ann.api.deleteMessages({ message_ids: [open.message_id] });
  });
  expect([await needs(cleo), await inbox(cleo)]).toEqual([0, []]);
  await expect(ben.api.decide({ decision_id: open.decision_id, option: 'no' })).rejects.toMatchObject(refused(404));
  await expect(ann.api.withdrawDecision({ decision_id: open.decision_id })).rejects.toMatchObject(refused(404));
});

test('DECIDE-8: it expires by the service’s clock, also while the service was away, and is then decided by nobody', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, cleo, ask, shown, needs } = await scene(world);
  const [soon, later] = [await ask({ expires_in: 10 }), await ask({ expires_in: 60 })];
  await checkReplay(world, [ann, ben, cleo], async () => {
    await clock.advance(9_000);
    await world.settle();
    expect((await shown(soon.message_id))?.decision?.state).toBe('open');
    await clock.advance(3_000);
    await world.settle();
  });
  const expired = await shown(soon.message_id);
  expect(expired).toMatchObject({
    content: `${soon.message.content}\n\nExpired: nobody has decided.`,
    decision: { state: 'expired' },
  });
  expect(expired?.decision).not.toHaveProperty('decided_by');
  await expect(ben.api.decide({ decision_id: soon.decision_id, option: 'yes' })).rejects.toMatchObject({
    status: 409,
    parameters: { decision: expired?.decision },
  });
  expect(await needs(ben)).toBe(1);
  const late = await cleo.follower('ext').load();
  clock.step(120_000);
  await world.crash();
  await clock.advance(2_000);
  await world.settle();
  expect((await shown(later.message_id))?.decision?.state).toBe('expired');
  expect(await needs(ben)).toBe(0);
  await late.connect();
  await world.settle();
  await late.compare();
  await late.drop();
});

test('DECIDE-11: the asker, an asking agent’s owner and those who manage the group take it back', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, ask, shown } = await scene(world);
  const { dora } = await world.people('dora');
  await ann.api.addMembers({ chat_id: chat.id, usernames: ['dora'] });
  const bot = await botIn(world, ann, chat);
  const [own, others, bots, botsToo] = [await ask({}, ben), await ask({}, ben), await ask({}, bot), await ask({}, bot)];
  const withdraw = (actor: typeof ann, { decision_id }: { decision_id: string }) =>
    actor.api.withdrawDecision({ decision_id });
  for (const [actor, decision] of [
    [cleo, own],
    [bot, own],
    [cleo, bots],
  ] as const)
    await expect(withdraw(actor, decision)).rejects.toMatchObject(refused(403));
  await checkReplay(world, [ann, ben, cleo], async () => {
    await withdraw(ben, own);
    await withdraw(ann, others);
    await withdraw(ann, bots);
    await withdraw(bot, botsToo);
  });
  const gone = await shown(own.message_id);
  expect(gone).toMatchObject({
    content: `${own.message.content}\n\nWithdrawn: there is nothing to decide any more.`,
    decision: { state: 'withdrawn' },
  });
  for (const again of [
    () => withdraw(ben, own),
    () => dora.api.decide({ decision_id: own.decision_id, option: 'yes' }),
  ])
    await expect(again()).rejects.toMatchObject({ status: 409, parameters: { decision: gone?.decision } });
});

test('DECIDE-13: getDecisions lists what a person may decide or has asked, newest first, and what an agent has asked', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, stranger, chat, chat_id, ask } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const direct = await ann.api.startChat({ username: 'cleo' });
  const first = await ask({ deciders: ['ben'] });
  const second = await ask({ deciders: ['cleo'] }, bot);
  const third = asked(await cleo.api.askDecision({ chat_id: direct.id, text: 'Tea?', options: yesNo }));
  await ben.api.decide({ decision_id: first.decision_id, option: 'yes' });
  const list = async (actor: typeof ann, more: Parameters<typeof ann.api.getDecisions>[0] = {}) =>
    (await actor.api.getDecisions(more)).items.map(({ id }) => id);
  const [one, two, three] = [first, second, third].map(({ message_id }) => message_id);
  expect(await list(ann)).toEqual([three, one]);
  expect(await list(ben)).toEqual([one]);
  expect(await list(cleo)).toEqual([three, two]);
  expect(await list(bot)).toEqual([two]);
  expect(await list(stranger)).toEqual([]);
  expect(await list(cleo, { chat_id })).toEqual([two]);
  expect(await list(ann, { state: 'open' })).toEqual([three]);
  expect(await list(ann, { state: 'decided' })).toEqual([one]);
  expect(await list(ann, { state: 'expired' })).toEqual([]);
  const page = await cleo.api.getDecisions({ limit: 1 });
  expect(page.items.map(({ id }) => id)).toEqual([three]);
  const rest = await cleo.api.getDecisions({ limit: 1, cursor: page.next_cursor });
  expect([rest.items.map(({ id }) => id), rest.next_cursor]).toEqual([[two], undefined]);
  await expect(stranger.api.getDecisions({ chat_id })).rejects.toMatchObject(refused(403));
  await expect(ann.api.getDecisions({ chat_id: unknownId })).rejects.toMatchObject(refused(404));
  await expect(ann.api.getDecisions({ cursor: 'xx' })).rejects.toMatchObject(refused(400));
});
