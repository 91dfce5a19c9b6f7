// What agents have done with tools for the user or with the user's account, and what they may do without asking.
import { CallsSection } from './calls-section.tsx';
import { GrantsSection } from './grants-section.tsx';

export function CallsPage() {
  return (
    <>
      <CallsSection />
      <GrantsSection />
    </>
  );
}
