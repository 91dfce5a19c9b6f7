const NOTES_HZ = [660, 880];
const NOTE_S = 0.09;
const LOUDNESS = 0.08;

/** Two soft notes, synthesized here so that no sound file is loaded. */
export class MessageSound {
  /** Created at the first play: browsers allow no sound before the page was clicked or typed into. */
  #context: AudioContext | undefined;

  play(): void {
    const context = (this.#context ??= new AudioContext());
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
}
