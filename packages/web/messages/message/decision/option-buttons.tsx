import type { Decision } from '@parley/protocol';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { optionLabel } from '../../../words/decision-words.ts';
import { arrows } from '../../../words/language.ts';
import { t } from '../../../words/t.ts';
import styles from './decision.module.css';

interface OptionButtonsProps {
  decision: Decision;
  /** The option that is being sent. */
  sent: string | null;
  onChoose: (option: string) => void;
}

/** The options of an open decision: one stop of Tab; the arrow keys move between them. */
export function OptionButtons({ decision, sent, onChoose }: OptionButtonsProps) {
  const { options } = decision;
  const [stop, setStop] = useState(0);
  return (
    <div className="ui-wrap" role="toolbar" aria-label={t('Options')} onKeyDown={moveFocus}>
      {options.map((option, at) => (
        <Button
          key={option.id}
          className={styles['option']}
          look={option.style ?? 'plain'}
          tabIndex={at === stop ? 0 : -1}
          // A disabled button would lose the focus.
          aria-busy={sent === option.id || undefined}
          aria-disabled={sent !== null || undefined}
          onFocus={() => setStop(at)}
          onClick={() => {
            if (sent === null) onChoose(option.id);
          }}
        >
          <span dir="auto">{optionLabel(decision, option)}</span>
        </Button>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (at === -1) return;
  const to = {
    [arrows.forward]: at + 1,
    [arrows.back]: at - 1,
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  buttons[(to + buttons.length) % buttons.length]?.focus();
}
