import type { StoredMessage } from '@parley/client/store';
import type { Part } from '@parley/protocol';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { placedParts } from './placed-parts.ts';
import { PartView } from './part-view.tsx';
import { SourceList } from './source-list.tsx';

const CitationList = lazy(async () => ({ default: (await import('./citation-list.tsx')).CitationList }));

interface ShownParts {
  /** By the index of the block before which they stand. */
  readonly between: ReadonlyMap<number, ReactNode>;
  readonly sources: ReactNode;
  /** The last part shows that the agent is at work, or waits for a person: the reply needs no dots. */
  readonly isAtWork: boolean;
}

const none: ShownParts = { between: new Map(), sources: null, isAtWork: false };

/** The parts of a message, rendered. `starts`: where the blocks of its text begin. */
export function useParts({ parts, content, status }: StoredMessage, starts: readonly number[]): ShownParts {
  const isLive = status === 'streaming';
  const sources = useMemo(() => {
    const found = parts?.filter((part) => part.type === 'source') ?? [];
    // What is cited is known when the text is whole.
    const cited = isLive ? [] : (parts?.filter((part) => part.type === 'citation') ?? []);
    if (found.length === 0 && cited.length === 0) return null;
    return (
      <>
        {found.length === 0 ? null : <SourceList parts={found} />}
        {cited.length === 0 ? null : (
          <Suspense fallback={null}>
            <CitationList parts={cited} content={content} />
          </Suspense>
        )}
      </>
    );
  }, [parts, content, isLive]);
  return useMemo(() => {
    if (!parts) return none;
    const { before, lastId } = placedParts(parts, content, starts);
    const between = new Map<number, ReactNode>();
    for (const [at, group] of before)
      between.set(
        at,
        group.map((part) => (
          <PartView key={`part ${part.id}`} part={part} isLive={isLive} isLast={isLive && part.id === lastId} />
        )),
      );
    const last = parts.at(-1);
    return { between, sources, isAtWork: last !== undefined && last.id === lastId && isAtWork(last) };
  }, [parts, content, starts, isLive, sources]);
}

const isAtWork = (part: Part): boolean =>
  part.type === 'reasoning'
    ? part.duration_ms === undefined
    : part.type === 'progress' ||
      (part.type === 'tool' && ['running', 'pending', 'needs_approval'].includes(part.status));
