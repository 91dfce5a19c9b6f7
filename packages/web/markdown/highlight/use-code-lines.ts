import { useEffect, useMemo, useState } from 'react';
import { CodeColors, type CodeLine, linesOf } from './code-colors.ts';
import { languageOf } from './code-languages.ts';

const none: readonly CodeLine[] = [];

/** The lines of a code block, with their colours as soon as these are known. */
export function useCodeLines(info: string, text: string): readonly CodeLine[] {
  const language = languageOf(info);
  const [known, setKnown] = useState(none);
  const [colors, setColors] = useState<CodeColors | null>(null);
  useEffect(() => {
    if (language === undefined) return undefined;
    const opened = new CodeColors(language, setKnown);
    setColors(opened);
    return () => {
      opened.close();
      setColors(null);
      setKnown(none);
    };
  }, [language]);
  useEffect(() => colors?.update(text), [colors, text]);
  return useMemo(() => linesOf(text, known), [text, known]);
}
