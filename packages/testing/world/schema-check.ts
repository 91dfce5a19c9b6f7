import type { Ajv, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Describes what is wrong with a value according to a schema of a document with these `components`; empty if it is
 * valid.
 */
export function schemaCheck(ajv: Ajv | Ajv2020, components: object): (schema: object, value: unknown) => string {
  ajv.addSchema({ $id: 'doc:', components });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"doc:#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}
