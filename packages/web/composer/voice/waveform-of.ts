// Recording a voice message. May import: composer/uploads and the rooms below composer.

/** Number of pieces of a waveform, each a byte (FILE-26). */
const PIECES = 64;

/** The loudest sample of each of 64 equal pieces, in proportion to the loudest of all, as base64. */
export function waveformOf(samples: Float32Array): string {
  const peaks = Array.from({ length: PIECES }, (_, at) => {
    const [from, to] = [at, at + 1].map((piece) => Math.floor((piece * samples.length) / PIECES));
    let peak = 0;
    for (let sample = from ?? 0; sample < (to ?? 0); sample += 1) peak = Math.max(peak, Math.abs(samples[sample] ?? 0));
    return peak;
  });
  const most = Math.max(...peaks);
  return btoa(String.fromCharCode(...peaks.map((peak) => (most === 0 ? 0 : Math.round((peak / most) * 255)))));
}
