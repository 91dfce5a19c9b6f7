// The parts of a reply beside its text. May import: markdown and the rooms below messages.
import { Info } from 'lucide-react';
import { memo } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import styles from './parts.module.css';
import type { InnerPart } from './placed-parts.ts';
import { ProgressView } from './progress-view.tsx';
import { ThoughtView } from './thought-view.tsx';
import { ToolView } from './tool-view.tsx';
import { partText } from '../../../words/part-text.ts';

interface PartProps {
  part: InnerPart;
  /** The reply streams. */
  isLive: boolean;
  /** The reply streams, and nothing follows the part. */
  isLast: boolean;
}

/** A part between the blocks of a reply. Does not render again while other parts and the text grow. */
export const PartView = memo(function PartView({ part, isLive, isLast }: PartProps) {
  switch (part.type) {
    case 'reasoning':
      return <ThoughtView part={part} isRunning={isLast && part.duration_ms === undefined} />;
    case 'tool':
      return <ToolView part={part} />;
    case 'progress':
      return <ProgressView part={part} isLive={isLive} />;
    default:
      return (
        <p className={classNames(styles['notice'], 'ui-remark')} role="note">
          <Info aria-hidden />
          <span className="ui-break" dir="auto">
            {partText(part)}
          </span>
        </p>
      );
  }
});
