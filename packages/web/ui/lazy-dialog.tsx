import { type ComponentProps, lazy, Suspense } from 'react';

const Dialog = lazy(async () => ({ default: (await import('./dialog.tsx')).Dialog }));

/** A Dialog whose script comes when it is first opened: for what the first page shows. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  return props.isOpen ? (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  ) : null;
}
