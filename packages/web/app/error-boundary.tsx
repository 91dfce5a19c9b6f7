import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { t } from '../words/t.ts';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** The current address: when it changes, the children render again. */
  place: string;
  /** Stays above the message. */
  header?: ReactNode;
}

/** Shows a message in place of children that failed to render; the rest of the app keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failedAt: string | null }> {
  override state: { failedAt: string | null } = { failedAt: null };

  static getDerivedStateFromError(): { failedAt: string } {
    return { failedAt: location.pathname };
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (before.place !== this.props.place && this.state.failedAt !== null) this.setState({ failedAt: null });
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <>
        {this.props.header}
        <EmptyState title={t('Something went wrong here. Reload the page to try again.')}>
          <Button onClick={() => location.reload()}>{t('Reload the page')}</Button>
        </EmptyState>
      </>
    );
  }
}
