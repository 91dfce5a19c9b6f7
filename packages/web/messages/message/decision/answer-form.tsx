import type { Decision } from '@parley/protocol';
import { useState } from 'react';
import { problemsOf, type Values } from '../../../config/fields.ts';
import { FieldsForm } from '../../../config/fields-form.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { shownFields, startOf, valuesOf } from './form-values.ts';
import { OptionButtons } from './option-buttons.tsx';
import type { Deciding } from './use-decide.ts';

/** The option that takes no values. */
const DECLINE = 'decline';

/** The option that Enter in a field chooses: the one that goes on, if there is only one. */
function enterOf({ options }: Decision): string | undefined {
  const others = options.filter(({ id, style }) => id !== DECLINE && style !== 'danger');
  return others.length === 1 ? others[0]?.id : undefined;
}

/** The fields and options of an open decision. */
export function AnswerForm({ deciding }: { deciding: Deciding }) {
  const { decision, sent, decide, errorOf, clear } = deciding;
  const { form = [] } = decision;
  const [values, setValues] = useState<Values>(() => startOf(form));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const fields = shownFields(form);

  function choose(option: string | undefined): void {
    if (option === undefined) return;
    const found = option === DECLINE ? {} : problemsOf(fields, values);
    setProblems(found);
    if (Object.keys(found).length > 0) return clear();
    void decide(option, option === DECLINE || form.length === 0 ? undefined : valuesOf(form, values));
  }

  const options = <OptionButtons decision={decision} sent={sent} onChoose={choose} />;
  if (form.length === 0) return options;
  return (
    <Form className="ui-stack" onSubmit={() => choose(enterOf(decision))}>
      <FieldsForm
        fields={fields}
        values={values}
        errorOf={(key) => problems[key] ?? errorOf(key)}
        onChange={(next) => {
          setValues(next);
          setProblems({});
          clear();
        }}
      />
      {options}
      {/* Without a button of its own a form of several fields is not submitted by Enter. */}
      <button type="submit" hidden />
    </Form>
  );
}
