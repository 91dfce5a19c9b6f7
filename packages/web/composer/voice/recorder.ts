import type { Sound } from '../uploads/uploads.ts';
import { waveformOf } from './waveform-of.ts';
import { t } from '../../words/t.ts';

/** Longest recording: it ends by itself then, and can be sent. */
const MAX_MS = 15 * 60_000;
/** Enough for a waveform; decoding at a low rate takes little memory. */
const DECODED_HZ = 8_000;

/** What browsers record and others play, best first. */
const formats = [
  { type: 'audio/webm;codecs=opus', extension: 'webm' },
  { type: 'audio/ogg;codecs=opus', extension: 'ogg' },
  { type: 'audio/mp4', extension: 'm4a' },
] as const;
const format = () => formats.find(({ type }) => MediaRecorder.isTypeSupported(type));

/** Whether this browser can record a voice message; also false on pages that are not secure. */
export const canRecord = (): boolean =>
  typeof MediaRecorder === 'function' && 'mediaDevices' in navigator && format() !== undefined;

export interface Recording {
  readonly file: File;
  readonly sound: Sound;
}

/** A voice message that is being recorded. */
export interface Recorder {
  /** Ends the recording and resolves to it. */
  readonly finish: () => Promise<Recording>;
  /** Ends the recording without a result. */
  readonly cancel: () => void;
}

/** Asks for the microphone and begins to record; rejects if the user or the browser refuses. */
export async function record(onEnd: () => void): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const { type, extension } = format() ?? { type: '', extension: 'webm' };
  const recorder = new MediaRecorder(stream, { mimeType: type });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => {
      clearTimeout(limit);
      // The browser shows that the microphone is in use until its tracks end.
      for (const track of stream.getTracks()) track.stop();
      resolve();
      onEnd();
    });
  });
  const limit = setTimeout(() => recorder.stop(), MAX_MS);
  recorder.start();
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  return {
    cancel: stop,
    async finish() {
      stop();
      await stopped;
      const file = new File(parts, t('Voice message.{extension}', { extension }), { type });
      return { file, sound: await soundOf(file) };
    },
  };
}

async function soundOf(file: File): Promise<Sound> {
  const decoded = await new OfflineAudioContext(1, 1, DECODED_HZ).decodeAudioData(await file.arrayBuffer());
  return { duration_ms: Math.round(decoded.duration * 1_000), waveform: waveformOf(decoded.getChannelData(0)) };
}
