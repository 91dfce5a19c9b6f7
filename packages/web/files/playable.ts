import type { Attachment } from './attachment.ts';

/** Browsers play most of these although they do not say so. */
const triedAnyway = 'video/quicktime';

/** How a file of the service is played in place; null if it is only downloaded. */
export function playableAs({ id, kind, mime_type: type = '' }: Attachment): 'video' | 'audio' | null {
  if (id === undefined || kind !== 'file') return null;
  const as = /^(video|audio)\//.exec(type)?.[1];
  if (as !== 'video' && as !== 'audio') return null;
  return type === triedAnyway || document.createElement(as).canPlayType(type) !== '' ? as : null;
}
