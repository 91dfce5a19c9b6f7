// Which sounds are voice messages, and what becomes of a model's transcript (TRANSCRIPT-1 …).
import { type Attachment, firstBytes, fits, limits } from '@parley/protocol';

export const transcriptLimits = {
  /** Maximum size of a sound: the most that the vendor takes. */
  fileBytes: 25 * 1024 * 1024,
  /** The same on the owner's key for another human: so a sound costs no more than a reply may (KEY-12). */
  guestFileBytes: 5 * 1024 * 1024,
  /** Maximum length, as its sender gives it. */
  soundMs: 600_000,
} as const;

/** Tokens that a model hears in a second, for estimates. */
const TOKENS_PER_SECOND = 10;
const BYTES_PER_TOKEN = 4;

/** A stored sound whose sender says how long it is (FILE-26). */
export interface VoiceMessage extends Attachment {
  id: string;
  duration_ms: number;
}

export const isVoiceMessage = (attachment: Attachment): attachment is VoiceMessage =>
  attachment.id !== undefined && attachment.duration_ms !== undefined;

/** The first voice message without a transcript. */
export const toTranscribe = (attachments: readonly Attachment[]): VoiceMessage | undefined =>
  attachments.filter(isVoiceMessage).find(({ transcript }) => transcript === undefined);

/** A model's text as it is stored: without characters that the stores or a reader cannot take, and not too long. */
export function cleanTranscript(text: string): string {
  const whole = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\t\n]/gu, '')
    .trim();
  if (fits(whole, limits.transcriptBytes)) return whole;
  return `${firstBytes(whole, limits.transcriptBytes - Buffer.byteLength('…')).trimEnd()}…`;
}

/** Estimated tokens of a transcription, if its vendor reports none. */
export const tokensOfSound = (seconds: number, text: string): number =>
  Math.ceil(seconds * TOKENS_PER_SECOND + Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** The model for transcripts, among those that a server lists. */
export const transcriptionModelOf = (models: readonly { id: string }[]): string | undefined =>
  models.find(({ id }) => /transcri|whisper/i.test(id) && !/realtime|diarize/i.test(id))?.id;

/** Vendors detect the type of a sound by the end of its name. */
const endings: Readonly<Record<string, string>> = {
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/webm': 'webm',
};
/** A name for the vendor, which learns nothing of the sender's name for the file. */
export const soundName = (mimeType: string): string => {
  const [type = ''] = mimeType.split(';');
  return `voice.${endings[type.trim()] ?? type.trim().replace(/^audio\/(?:x-)?/, '')}`;
};
