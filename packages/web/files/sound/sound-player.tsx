import { Download, Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { IconButton } from '../../ui/button.tsx';
import { clockTime } from '../../words/duration.ts';
import type { Attachment } from '../attachment.ts';
import { FileRow } from '../file-row.tsx';
import { useDownload } from '../use-download.ts';
import { usePlayback } from '../use-playback.ts';
import type { ViewedMessage } from '../open-file.ts';
import { peaksOf } from './peaks.ts';
import styles from './sound-player.module.css';
import { Waveform } from './waveform.tsx';
import { t } from '../../words/t.ts';

const speeds = [1, 1.5, 2] as const;

/** Plays a sound: a voice message with its waveform, any other with its name. */
export default function SoundPlayer({ message, attachment }: { message: ViewedMessage; attachment: Attachment }) {
  const audio = useRef<HTMLAudioElement>(null);
  const { element, isLost, refresh } = usePlayback(message.id, attachment);
  const [isPlaying, setIsPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [speed, setSpeed] = useState(0);
  // A recording may not say how long it is.
  const [found, setFound] = useState<number | null>(null);
  const lengthS = attachment.duration_ms === undefined ? found : attachment.duration_ms / 1_000;
  const peaks = peaksOf(attachment.waveform);
  const label = peaks ? t('Voice message') : (attachment.name ?? t('Audio file'));
  const { download, isFailed } = useDownload(refresh, attachment.name ?? label);
  if (isLost) return <FileRow message={message} attachment={attachment} />;

  const shownS = Math.min(at, lengthS ?? at);
  const played = lengthS ? shownS / lengthS : 0;
  const rate = speeds[speed] ?? 1;
  function toggle() {
    if (isPlaying) audio.current?.pause();
    // A failure arrives as an event of the element.
    else void audio.current?.play().catch(() => undefined);
  }
  function seek(to: number) {
    setAt(to);
    if (audio.current) audio.current.currentTime = to;
  }
  return (
    <div className={styles['sound']} role="group" aria-label={label}>
      <audio
        {...element}
        ref={audio}
        preload={lengthS === null ? 'metadata' : 'none'}
        onLoadedMetadata={(event) => {
          const { duration } = event.currentTarget;
          if (Number.isFinite(duration)) setFound(duration);
          event.currentTarget.playbackRate = rate;
          element.onLoadedMetadata(event);
        }}
        onPlay={(event) => {
          setIsPlaying(true);
          element.onPlay(event);
        }}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onEnded={() => seek(0)}
      />
      <IconButton
        className={classNames(styles['play'], 'ui-filled')}
        label={isPlaying ? t('Pause') : t('Play')}
        icon={isPlaying ? <Pause /> : <Play />}
        onClick={toggle}
      />
      <div className="ui-fill">
        {peaks ? null : <span className={styles['name']}>{label}</span>}
        <div className={styles['track']}>
          {peaks ? <Waveform peaks={peaks} played={played} /> : null}
          <input
            className={peaks ? styles['over'] : styles['bar']}
            type="range"
            min={0}
            max={lengthS ?? 0}
            step={0.1}
            value={shownS}
            disabled={lengthS === null}
            aria-label={t('Position')}
            aria-valuetext={`${clockTime(shownS)} / ${clockTime(lengthS ?? 0)}`}
            onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
          />
        </div>
        <span className={styles['time']}>
          {isFailed
            ? t('Not available right now. Try again.')
            : isPlaying || at > 0
              ? `${clockTime(shownS)} / ${clockTime(lengthS ?? 0)}`
              : clockTime(lengthS ?? 0)}
        </span>
      </div>
      <button
        type="button"
        className={styles['speed']}
        aria-label={t('Speed {rate, number}×', { rate })}
        title={t('Speed')}
        onClick={() => {
          const next = (speed + 1) % speeds.length;
          setSpeed(next);
          if (audio.current) audio.current.playbackRate = speeds[next] ?? 1;
        }}
      >
        {rate}×
      </button>
      <IconButton label={t('Download')} icon={<Download />} onClick={() => void download()} />
    </div>
  );
}
