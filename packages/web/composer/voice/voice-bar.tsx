import { ArrowUp, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { clockTime } from '../../words/duration.ts';
import styles from './voice-bar.module.css';
import type { Voice } from './use-voice.ts';
import { t } from '../../words/t.ts';

const texts = {
  idle: '',
  asking: t('Allow the microphone …'),
  recording: t('Recording'),
  full: t('The longest length is reached'),
  finishing: t('Preparing …'),
} as const;

/** Takes the place of the text while a voice message is recorded. Escape cancels. */
export function VoiceBar({ voice }: { voice: Voice }) {
  const { state } = voice;
  const isRecording = state === 'recording';
  return (
    <div
      className={styles['bar']}
      role="group"
      aria-label={t('Voice message')}
      data-voice={state}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        voice.cancel();
      }}
    >
      <IconButton
        label={t('Discard the recording')}
        icon={<Trash2 />}
        onClick={voice.cancel}
        autoFocus={!isRecording}
      />
      <span className={styles['dot']} data-on={isRecording || undefined} />
      <span className={styles['text']} role="status">
        {texts[state]}
      </span>
      {state === 'asking' ? null : <Clock isRunning={isRecording} />}
      <IconButton
        key={state}
        className={isRecording || state === 'full' ? 'ui-filled' : undefined}
        label={t('Send the voice message')}
        icon={<ArrowUp />}
        disabled={!(isRecording || state === 'full')}
        autoFocus={isRecording || state === 'full'}
        onClick={voice.send}
      />
    </div>
  );
}

const TICK_MS = 250;

function Clock({ isRunning }: { isRunning: boolean }) {
  const [start] = useState(() => performance.now());
  const [now, setNow] = useState(start);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return (
    <span className={styles['time']} role="timer">
      {clockTime((now - start) / 1_000)}
    </span>
  );
}
