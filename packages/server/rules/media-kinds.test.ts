import { expect, test } from 'vitest';
import { mediaKindsOf } from './media-kinds.ts';

const own = (kind: 'photo' | 'file', mime_type: string) => ({ id: 'f', kind, mime_type });

test.each([
  ['', [], []],
  ['see https://example.com', [], ['links']],
  ['[here](https://example.com)', [], ['links']],
  ['www.example.com/a', [], ['links']],
  ['`https://example.com`', [], []],
  ['```\ncurl https://example.com\n```', [], []],
  ['mail ann@example.com, or www. is nothing', [], []],
  ['', [own('photo', 'image/png')], ['media']],
  ['', [own('file', 'video/mp4')], ['media']],
  ['', [own('file', 'audio/webm')], ['files']],
  ['', [own('file', 'application/pdf'), own('photo', 'image/png')], ['files', 'media']],
  ['', [{ kind: 'photo' as const, url: 'https://example.com/a.png' }, { kind: 'news' as const }], []],
])('FILE-21: %j with %j is in %j', (content, attachments, kinds) => {
  expect([...mediaKindsOf(content, attachments)]).toEqual(kinds);
});
