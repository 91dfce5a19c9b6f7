/** The loudness of each piece of a sound, from 0 to 1, as its attachment carries it; null if there is none. */
export function peaksOf(waveform: string | undefined): number[] | null {
  if (waveform === undefined || waveform === '') return null;
  try {
    return Array.from(atob(waveform), (byte) => byte.charCodeAt(0) / 255);
  } catch {
    // Messages of earlier versions may contain anything here.
    return null;
  }
}
