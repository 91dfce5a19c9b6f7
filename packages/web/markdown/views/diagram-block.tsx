import { ChartNetwork, Code, Maximize2 } from 'lucide-react';
import { lazy, memo, Suspense, useEffect, useState } from 'react';
import { useIsDark } from '../../browser/use-is-dark.ts';
import { type Diagram, drawDiagram } from '../../diagrams/draw-diagram.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './code-block.module.css';
import drawn from './diagram-block.module.css';
import { t } from '../../words/t.ts';

const INFO = 'mermaid';

const DiagramDialog = lazy(async () => import('./diagram-dialog.tsx'));

/** A Mermaid diagram: drawn once its text is finished, with a switch to its source (WEB-176). */
export default memo(function DiagramBlock({ text }: { text: string }) {
  const [isSource, setIsSource] = useState(false);
  const [isLarge, setIsLarge] = useState(false);
  const diagram = useDiagram(text);
  if (!diagram) return <CodeBlock info={INFO} text={text} />;
  const Icon = isSource ? ChartNetwork : Code;
  return (
    <>
      <CodeBlock
        info={INFO}
        text={text}
        actions={
          <>
            {/* It is shrunk to fit: enlarged, its words are legible. */}
            <button type="button" className={styles['action']} onClick={() => setIsLarge(true)}>
              <Maximize2 />
              <span>{t('Enlarge')}</span>
            </button>
            <button type="button" className={styles['action']} data-fold onClick={() => setIsSource(!isSource)}>
              <Icon />
              <span>{isSource ? t('Diagram') : t('Source')}</span>
            </button>
          </>
        }
        drawing={
          isSource ? null : (
            <div className={drawn['diagram']} role="presentation" onClick={() => setIsLarge(true)}>
              <img src={diagram.address} width={diagram.width} height={diagram.height} alt={text} />
            </div>
          )
        }
      />
      {isLarge ? (
        <Suspense fallback={null}>
          <DiagramDialog diagram={diagram} text={text} onClose={() => setIsLarge(false)} />
        </Suspense>
      ) : null}
    </>
  );
});

/** The drawing of the newest finished text; null until there is one, and if there can be none. */
function useDiagram(text: string): Diagram | null {
  const isDark = useIsDark();
  const [diagram, setDiagram] = useState<Diagram | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = (drawing: Diagram | null): void => {
      if (isCurrent) setDiagram(drawing);
    };
    drawDiagram(text, isDark).then(show, () => show(null));
    return () => {
      isCurrent = false;
    };
  }, [text, isDark]);
  return diagram;
}
