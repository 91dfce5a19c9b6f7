// Sounds and voice messages. May import: the files of the room above it that show no messages.
import { classNames } from '../../browser/class-names.ts';
import styles from './sound-player.module.css';

const GAP = 0.35;

/** The bars of a waveform; `played`, from 0 to 1, is the part that was played. */
export function Waveform({ peaks, played }: { peaks: readonly number[]; played: number }) {
  return (
    <svg className={styles['waveform']} viewBox={`0 0 ${peaks.length} 2`} preserveAspectRatio="none" aria-hidden>
      {peaks.map((peak, at) => {
        const height = Math.max(0.12, peak * 2);
        return (
          <rect
            // Bars never change their order.
            key={at}
            className={classNames(styles['bar'], at < played * peaks.length && styles['played'])}
            x={at + GAP / 2}
            y={1 - height / 2}
            width={1 - GAP}
            height={height}
          />
        );
      })}
    </svg>
  );
}
