import type { Attributes } from '@parley/markdown';
import { NewsView } from './news-view.tsx';
import { PositionsView } from './positions-view.tsx';
import { TickerView } from './ticker-view.tsx';

/** Kinds of data that stand in a message as a tag or as an attachment. */
const views = { ticker: TickerView, news: NewsView, positions: PositionsView } as const;

export type DataKind = keyof typeof views;

/** Data of a message in the way that its kind is shown. */
export default function DataView({ kind, data }: { kind: DataKind; data: Attributes }) {
  const View = views[kind];
  return <View data={data} />;
}
