import { useEffect, useRef, useState } from 'react';
import { record, type Recorder, type Recording } from './recorder.ts';
import { t } from '../../words/t.ts';

/** `full` is a recording that has reached its longest length and waits to be sent. */
type VoiceState = 'idle' | 'asking' | 'recording' | 'full' | 'finishing';

export interface Voice {
  readonly state: VoiceState;
  readonly start: () => void;
  readonly cancel: () => void;
  readonly send: () => void;
}

interface VoiceInput {
  onRecorded: (recording: Recording) => void;
  onError: (text: string) => void;
}

/** The voice message of a composer. Leaving the composer discards it. */
export function useVoice({ onRecorded, onError }: VoiceInput): Voice {
  const [state, setState] = useState<VoiceState>('idle');
  const recorder = useRef<Recorder | null>(null);
  /** Counts recordings: an answer for an earlier one is not wanted any more. */
  const round = useRef(0);
  useEffect(
    () => () => {
      round.current += 1;
      recorder.current?.cancel();
    },
    [],
  );

  async function start() {
    const mine = (round.current += 1);
    setState('asking');
    try {
      const made = await record(() => {
        if (round.current === mine) setState((now) => (now === 'recording' ? 'full' : now));
      });
      if (round.current !== mine) return made.cancel();
      recorder.current = made;
      setState('recording');
    } catch {
      if (round.current !== mine) return undefined;
      setState('idle');
      onError(t('Parley can’t use the microphone. Allow it in your browser’s settings for this page, then try again.'));
    }
    return undefined;
  }
  function cancel() {
    round.current += 1;
    recorder.current?.cancel();
    recorder.current = null;
    setState('idle');
  }
  async function send() {
    const [mine, made] = [round.current, recorder.current];
    if (!made) return;
    setState('finishing');
    try {
      const recording = await made.finish();
      if (round.current === mine) onRecorded(recording);
    } catch {
      if (round.current === mine) onError(t('The recording failed. Try again.'));
    }
    if (round.current === mine) cancel();
  }
  return { state, start: () => void start(), cancel, send: () => void send() };
}
