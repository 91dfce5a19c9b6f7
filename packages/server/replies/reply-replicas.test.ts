import { expect, test } from 'vitest';
import type { SharedEvent } from '../log/batch-payload.ts';
import type { OpenStream } from '../commits/effects.ts';
import { chatScope, eventClass } from '../core/event-kinds.ts';
import { ReplyReplicas } from './reply-replicas.ts';

const info: OpenStream = {
  messageKey: 5,
  messageId: 'a reply',
  chatKey: 7,
  chatId: 'a chat',
  agentKey: 3,
  agent: { username: 'bot', kind: 'agent', display_name: 'Bot' },
  runner: 'daemon',
  turnKey: null,
  text: '',
  parts: [],
  revision: 1,
  revisionReserved: 100,
  channelId: null,
  threadRootId: null,
  cancelRequested: false,
  resumed: false,
};
const shared = (kind: SharedEvent['kind'], seq: number, params: object, standsFor = 0): SharedEvent => ({
  seq,
  scope: chatScope(7),
  kind,
  params: JSON.stringify(params),
  draft: 5,
  standsFor,
});

function replicated() {
  const torn: number[] = [];
  const replicas = new ReplyReplicas((node) => torn.push(node));
  replicas.open(info, 2);
  return { replicas, torn };
}

test('CLUSTER-4: a replica applies the owning node’s events', () => {
  const { replicas, torn } = replicated();
  const delta = shared('messageDelta', 11, { delta: 'Grü', offset: 4, content_revision: 2 }, eventClass.patch);
  expect(replicas.heard(delta, 2)).toBe(true);
  expect(replicas.heard(shared('messageDelta', 12, { delta: 'ße', offset: 7, content_revision: 3 }), 2)).toBe(true);
  expect(replicas.get(5)).toMatchObject({
    numbered: { open: { text: 'Grüße', revision: 3 }, textSeq: 12 },
    draft: { numbered: null },
  });
  expect(replicas.heard(shared('streamSnapshot', 13, { content: 'Anders', content_revision: 4 }), 2)).toBe(true);
  expect(replicas.heard(shared('draftPatch', 14, { rev: 4 }), 2)).toBe(true);
  expect(replicas.heard(shared('draftActivity', 15, {}), 2)).toBe(true);
  expect(replicas.find('a reply')).toMatchObject({
    numbered: { open: { text: 'Anders', revision: 4 } },
    draft: { numbered: { text: 'Anders', revision: 4, seq: 14 }, activitySeq: 15 },
  });
  expect(torn).toEqual([]);
});

test('CLUSTER-4: after a missing delta the replica asks its node for a snapshot and drops events until then', () => {
  const { replicas, torn } = replicated();
  for (const seq of [11, 12])
    expect(replicas.heard(shared('messageDelta', seq, { delta: 'b', offset: seq, content_revision: seq }), 2)).toBe(
      false,
    );
  expect(replicas.heard(shared('draftPatch', 13, { rev: 12 }), 2)).toBe(false);
  expect([replicas.get(5)?.numbered.open.text, torn]).toEqual(['', [2, 2]]);
  expect(replicas.heard(shared('streamSnapshot', 14, { content: 'abc', content_revision: 14 }), 2)).toBe(true);
  expect(replicas.heard(shared('messageDelta', 15, { delta: 'd', offset: 4, content_revision: 15 }), 2)).toBe(true);
  expect(replicas.get(5)?.numbered.open).toEqual({ text: 'abcd', revision: 15 });
});

test('CLUSTER-4, DEL-5: events of a finished reply, or from a node that does not own the reply, are dropped', () => {
  const { replicas } = replicated();
  const delta = shared('messageDelta', 11, { delta: 'a', offset: 1, content_revision: 2 });
  expect(replicas.heard(delta, 3)).toBe(false);
  const shown = replicas.get(5);
  replicas.drop(5);
  expect(replicas.heard(delta, 2)).toBe(false);
  expect([shown?.isDropped, replicas.get(5), replicas.ownerOf('a reply')]).toEqual([true, undefined, undefined]);
});
