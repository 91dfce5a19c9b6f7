import { statement } from './sql.ts';

/** What was read of a link since a time; a null value is a page without a preview. */
export const keptPreview = statement<{ value: string | null }, [place: number, digest: Uint8Array, since: number]>(
  'SELECT value FROM link_previews WHERE place = $1 AND url_digest = $2 AND fetched_at > $3',
);
export const putPreview = statement<
  never,
  [place: number, digest: Uint8Array, value: string | null, fetchedAt: number]
>(
  `INSERT INTO link_previews (place, url_digest, value, fetched_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (place) DO UPDATE
   SET url_digest = excluded.url_digest, value = excluded.value, fetched_at = excluded.fetched_at`,
);
export const forgetPreviewsBefore = statement<never, [time: number]>(
  'DELETE FROM link_previews WHERE fetched_at <= $1',
);
