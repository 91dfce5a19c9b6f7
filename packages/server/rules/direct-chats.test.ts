import { describe, expect, test } from 'vitest';
import { mayBeginDirectChat, type Party } from './direct-chats.ts';

const ann: Party = { key: 1, kind: 'human', parentKey: null, visibility: 'groups' };
const bob: Party = { key: 2, kind: 'human', parentKey: null, visibility: 'groups' };
const annsBot: Party = { key: 3, kind: 'agent', parentKey: 1, visibility: 'groups' };
const bobsBot: Party = { key: 4, kind: 'agent', parentKey: 2, visibility: 'groups' };
const publicBot: Party = { key: 5, kind: 'agent', parentKey: 2, visibility: 'public' };
const privateBot: Party = { key: 7, kind: 'agent', parentKey: 2, visibility: 'private' };
const guide: Party = { key: 6, kind: 'agent', parentKey: null, visibility: 'public' };

describe('mayBeginDirectChat', () => {
  const table: [title: string, caller: Party, other: Party, answer: boolean | undefined][] = [
    ['CONV-3: a human with themselves', ann, ann, true],
    ['CONV-3: a human with a human', ann, bob, true],
    ['CONV-3: the owner with their agent', ann, annsBot, true],
    ['CONV-3: a human with another person’s agent, if they share a conversation', ann, bobsBot, undefined],
    ['CONV-3: anyone with a public agent', ann, publicBot, true],
    ['CONV-3: anyone with the guide, which has no owner', ann, guide, true],
    ['CUSTOM-6: a human with another person’s private agent', ann, privateBot, false],
    ['CUSTOM-6: the owner with their private agent', bob, privateBot, true],
    ['CUSTOM-6: an agent with another owner’s private agent', annsBot, privateBot, false],
    ['CUSTOM-6: a private agent with its owner', privateBot, bob, true],
    ['CONV-4: an agent with its owner', annsBot, ann, true],
    ['CONV-4: an agent with a human, if they share a conversation', annsBot, bob, undefined],
    ['CONV-4: a public agent with a human, if they share a conversation', publicBot, ann, undefined],
    ['CONV-4: the guide with a human, if they share a conversation', guide, ann, undefined],
    ['CONV-4: an agent with another, if they share a conversation', annsBot, bobsBot, undefined],
    ['CONV-4: an agent with a public agent', annsBot, publicBot, true],
    ['CONV-4: an agent with itself', annsBot, annsBot, true],
  ];
  test.each(table)('%s', (_title, caller, other, answer) => {
    expect(mayBeginDirectChat(caller, other)).toBe(answer);
  });
});
