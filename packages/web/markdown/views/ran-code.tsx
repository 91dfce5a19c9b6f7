import { builtInToolTitles } from '@parley/protocol/built-in-tools';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';
import { visibleText } from '../../words/visible-text.ts';
import { CodeBlock } from './code-block.tsx';

interface Ran {
  code: string;
  files: readonly string[];
}

/** What the service's own tool for code was called with (CODE-12); null for every other call. */
export function ranBy({ name, title }: { name: string; title?: string | undefined }, input: unknown): Ran | null {
  if (name !== 'run_code' || title !== builtInToolTitles.run_code) return null;
  const { code, files = [] } = (input ?? {}) as { code?: unknown; files?: unknown }; // checked below
  if (typeof code !== 'string' || !Array.isArray(files)) return null;
  return { code, files: files.filter((one): one is string => typeof one === 'string') };
}

/** Code that an agent ran, in the colours of its language, and the files that it read. */
export function RanCode({ code, files }: Ran) {
  return (
    <>
      {files.length === 0 ? null : (
        <p className="ui-about" dir="auto">
          {t('It read {files}.', { files: listOf(files.map(visibleText)) })}
        </p>
      )}
      <CodeBlock info="javascript" text={code} />
    </>
  );
}
