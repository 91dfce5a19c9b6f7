// The transcriptions that run, on any node: one per message, a few per human (TRANSCRIPT-4).
import { statement } from './sql.ts';

/** Changes nothing while another transcription of the message runs. */
export const beginTranscription = statement<
  never,
  [message: Uint8Array, human: number, agent: number, attempt: Uint8Array, expiresAt: number]
>(
  `INSERT INTO transcriptions (message_id, human_key, agent_key, attempt, expires_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (message_id) DO NOTHING`,
);
/** Changes nothing if the attempt has expired. */
export const endTranscription = statement<never, [message: Uint8Array, attempt: Uint8Array]>(
  'DELETE FROM transcriptions WHERE message_id = $1 AND attempt = $2',
);
/** Deletes what a crash has left of a message, and of a human. */
export const dropExpiredTranscriptions = statement<
  never,
  [message: Uint8Array, human: number, now: number, latest: number]
>('DELETE FROM transcriptions WHERE (message_id = $1 OR human_key = $2) AND (expires_at <= $3 OR expires_at > $4)');
/** Deletes what the former process has left. */
export const dropTranscriptions = statement<never>('DELETE FROM transcriptions');
export const countTranscriptions = statement<{ count: number }, [human: number]>(
  'SELECT count(*) AS count FROM transcriptions WHERE human_key = $1',
);
