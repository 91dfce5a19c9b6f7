import { expect, test } from 'vitest';
import { afterGalleryEvent, type Gallery, galleryOf, photosAndVideos } from './gallery.ts';
import type { ViewedMessage } from '../open-file.ts';

const file = (id: string, kind: 'photo' | 'file' = 'photo', mime_type = '') =>
  ({ id, kind, mime_type }) as ViewedMessage['attachments'][number]; // the fields that a gallery reads
const message = (id: string, ...files: string[]): ViewedMessage =>
  ({ id, attachments: files.map((one) => file(one)) }) as unknown as ViewedMessage; // as above
const shown = ({ items, at }: Gallery) => [items.map((item) => item.file.id).join(' '), items[at]?.file.id];

test('WEB-260: a gallery begins with the photos and videos of one message', () => {
  const start = { ...message('m5', 'e', 'f'), attachments: [file('e'), file('x', 'file', 'text/plain'), file('f')] };
  expect(shown(galleryOf(start, file('f'), photosAndVideos))).toEqual(['e f', 'f']);
  const film = { ...message('m5'), attachments: [file('v', 'file', 'video/mp4')] };
  expect(shown(galleryOf(film, file('v', 'file', 'video/mp4'), photosAndVideos))).toEqual(['v', 'v']);
});

test('WEB-260: pages are added at both ends, and the photo that is displayed stays', () => {
  let gallery = galleryOf(message('m5', 'e'), file('e'), photosAndVideos);
  const load = (side: 'older' | 'newer', cursor: string | undefined, ...messages: ViewedMessage[]) => {
    gallery = afterGalleryEvent(gallery, { type: 'loaded', side, messages, cursor });
  };
  load('older', 'more', message('m4', 'c', 'd'), message('m3', 'b'));
  load('newer', undefined, message('m6', 'f'));
  expect(shown(gallery)).toEqual(['b c d e f', 'e']);
  expect([gallery.older, gallery.newer]).toEqual([{ cursor: 'more' }, 'end']);
  load('older', undefined, message('m1', 'a'));
  expect(shown(gallery)).toEqual(['a b c d e f', 'e']);
  const move = (by: -1 | 1) => shown((gallery = afterGalleryEvent(gallery, { type: 'moved', by })))[1];
  expect([move(1), move(1), move(-1), move(-1)]).toEqual(['f', 'f', 'e', 'd']);
});
