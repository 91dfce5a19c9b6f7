import { type ComponentProps, lazy, Suspense } from 'react';

const Dialog = lazy(async () => ({ default: (await import('./dialog.tsx')).Dialog }));

/** A Dialog whose script loads when it first opens; used by components of the first page. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  return props.isOpen ? (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  ) : null;
}
