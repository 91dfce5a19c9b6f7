import { ChartNetwork, Code } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { useIsDark } from '../../browser/use-is-dark.ts';
import { type Diagram, drawDiagram } from '../../diagrams/draw-diagram.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './code-block.module.css';
import drawn from './diagram-block.module.css';
import { t } from '../../words/t.ts';

/** The language after the fence of a diagram. */
export const DIAGRAM = 'mermaid';

/** A drawing shrinks to fit, but not below this part of its size: its text must stay legible. */
const SMALLEST = 0.6;

/** A Mermaid diagram: drawn once its text is finished, with a switch to its source (WEB-176). */
export const DiagramBlock = memo(function DiagramBlock({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const [isSource, setIsSource] = useState(false);
  const diagram = useDiagram(text, isGrowing);
  if (!diagram) return <CodeBlock info={DIAGRAM} text={text} />;
  const Icon = isSource ? ChartNetwork : Code;
  return (
    <CodeBlock
      info={DIAGRAM}
      text={text}
      actions={
        <button type="button" className={styles['action']} data-fold onClick={() => setIsSource(!isSource)}>
          <Icon />
          <span>{isSource ? t('Diagram') : t('Source')}</span>
        </button>
      }
      drawing={
        isSource ? null : (
          // Focusable, so that the keyboard can scroll it.
          <div className={drawn['diagram']} tabIndex={0} role="group" aria-label={t('Diagram')}>
            <img
              src={diagram.address}
              width={diagram.width}
              height={diagram.height}
              style={{ minWidth: diagram.width * SMALLEST }}
              alt={text}
            />
          </div>
        )
      }
    />
  );
});

/** The drawing of the newest finished text; null until there is one, and if there can be none. */
function useDiagram(text: string, isGrowing: boolean): Diagram | null {
  const isDark = useIsDark();
  const [diagram, setDiagram] = useState<Diagram | null>(null);
  useEffect(() => {
    if (isGrowing) return undefined;
    let isCurrent = true;
    const show = (drawing: Diagram | null): void => {
      if (isCurrent) setDiagram(drawing);
    };
    drawDiagram(text, isDark).then(show, () => show(null));
    return () => {
      isCurrent = false;
    };
  }, [text, isGrowing, isDark]);
  return isGrowing ? null : diagram;
}
