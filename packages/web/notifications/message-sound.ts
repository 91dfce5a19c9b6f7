const NOTES_HZ = [660, 880];
const NOTE_S = 0.09;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Two soft notes, made here: nothing is loaded for them. */
export function playMessageSound(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
  const start = context.currentTime;
  for (const [at, frequency] of NOTES_HZ.entries()) {
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    const from = start + at * NOTE_S;
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(LOUDNESS, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE_S);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + 2 * NOTE_S);
  }
}
