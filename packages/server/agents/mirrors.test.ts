import { expect, test } from 'vitest';
import type { ToldEvent } from '../log/batch-payload.ts';
import type { OpenStream } from '../commits/effects.ts';
import { chatScope, eventClass } from '../core/event-kinds.ts';
import { Mirrors } from './mirrors.ts';

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
  revision: 1,
  revisionReserved: 100,
  channelId: null,
  threadRootId: null,
  cancelRequested: false,
  resumed: false,
};
const told = (kind: ToldEvent['kind'], seq: number, params: object, standsFor = 0): ToldEvent => ({
  seq,
  scope: chatScope(7),
  kind,
  params: JSON.stringify(params),
  draft: 5,
  standsFor,
});

function mirrored() {
  const torn: number[] = [];
  const mirrors = new Mirrors((node) => torn.push(node));
  mirrors.open(info, 2);
  return { mirrors, torn };
}

test('CLUSTER-4: what is told of another node’s reply is its text here', () => {
  const { mirrors, torn } = mirrored();
  const delta = told('messageDelta', 11, { delta: 'Grü', offset: 4, content_revision: 2 }, eventClass.patch);
  expect(mirrors.heard(delta, 2)).toBe(true);
  expect(mirrors.heard(told('messageDelta', 12, { delta: 'ße', offset: 7, content_revision: 3 }), 2)).toBe(true);
  expect(mirrors.get(5)).toMatchObject({ told: { text: 'Grüße', revision: 3 }, lastSeq: 12, draft: { told: null } });
  expect(mirrors.heard(told('streamSnapshot', 13, { content: 'Anders', content_revision: 4 }), 2)).toBe(true);
  expect(mirrors.heard(told('draftPatch', 14, { rev: 4 }), 2)).toBe(true);
  expect(mirrors.heard(told('draftActivity', 15, {}), 2)).toBe(true);
  expect(mirrors.find('a reply')).toMatchObject({
    told: { text: 'Anders', revision: 4 },
    draft: { told: { text: 'Anders', revision: 4, seq: 14 }, activitySeq: 15 },
  });
  expect(torn).toEqual([]);
});

test('CLUSTER-4: a text of which something is missing is not shown until it has come whole, and its node is told', () => {
  const { mirrors, torn } = mirrored();
  for (const seq of [11, 12])
    expect(mirrors.heard(told('messageDelta', seq, { delta: 'b', offset: seq, content_revision: seq }), 2)).toBe(false);
  expect(mirrors.heard(told('draftPatch', 13, { rev: 12 }), 2)).toBe(false);
  expect([mirrors.get(5)?.told.text, torn]).toEqual(['', [2, 2]]);
  expect(mirrors.heard(told('streamSnapshot', 14, { content: 'abc', content_revision: 14 }), 2)).toBe(true);
  expect(mirrors.heard(told('messageDelta', 15, { delta: 'd', offset: 4, content_revision: 15 }), 2)).toBe(true);
  expect(mirrors.get(5)?.told).toEqual({ text: 'abcd', revision: 15 });
});

test('CLUSTER-4, DEL-5: nothing is shown of a reply that has ended, nor what a node tells of another one’s', () => {
  const { mirrors } = mirrored();
  const delta = told('messageDelta', 11, { delta: 'a', offset: 1, content_revision: 2 });
  expect(mirrors.heard(delta, 3)).toBe(false);
  const shown = mirrors.get(5);
  mirrors.drop(5);
  expect(mirrors.heard(delta, 2)).toBe(false);
  expect([shown?.isDropped, mirrors.get(5), mirrors.ownerOf('a reply')]).toEqual([true, undefined, undefined]);
});
