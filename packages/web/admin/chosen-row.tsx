import { Check } from 'lucide-react';

/** A row of a list to choose from: a title, and a check mark if it is chosen. */
export const ChosenRow = ({ title, note, isChosen }: { title: string; note?: string; isChosen: boolean }) => (
  <>
    <span className="ui-lines">
      <span className="ui-line ui-name" dir="auto">
        {title}
      </span>
      {note === undefined ? null : <span className="ui-line ui-note">{note}</span>}
    </span>
    {isChosen ? <Check aria-hidden className="ui-accent" /> : null}
  </>
);
