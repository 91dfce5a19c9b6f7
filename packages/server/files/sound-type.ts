/** Length of the part of a file in which recorders describe its tracks. */
export const TRACKS_BYTES = 64 * 1024;

const kinds = [
  // CodecID, an element of each track: `V_…` of pictures, `A_…` of sound.
  { type: 'video/webm', sound: 'audio/webm', track: /\x86[\x81-\xff]([VA])_/g, picture: 'V' },
  // The handler of each track, after its version, its flags and four more bytes.
  { type: 'video/mp4', sound: 'audio/mp4', track: /hdlr[^]{8}(vide|soun)/g, picture: 'vide' },
] as const;

/**
 * The type of a WebM or MP4 file: of a sound if its tracks have no picture, as those of a recorded voice. By its first
 * bytes alone such a file is a video (FILE-25). `start` are the file's first bytes.
 */
export function soundType(type: string, start: Buffer): string {
  const kind = kinds.find((one) => one.type === type);
  if (!kind) return type;
  const tracks = Array.from(start.toString('latin1').matchAll(kind.track), ([, track]) => track);
  return tracks.length > 0 && !tracks.includes(kind.picture) ? kind.sound : type;
}
