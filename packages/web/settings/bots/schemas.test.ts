import { describe, expect, it } from 'vitest';
import { parseSchemas } from './schemas.ts';

describe('the schemas of a new bot', () => {
  it('are empty for a blank text', () => {
    expect(parseSchemas('  ')).toEqual({});
  });

  it('are read from an object, or from a bare list of config fields', () => {
    expect(parseSchemas('{"config_schema":[{"key":"a"}]}')).toEqual({
      config_schema: [{ key: 'a' }],
      secret_schema: [],
    });
    expect(parseSchemas('[{"key":"a"}]')).toEqual({ config_schema: [{ key: 'a' }], secret_schema: [] });
  });

  it('are null for any other form', () => {
    for (const text of ['{', '1', 'null', '{"config_schema":{}}']) expect(parseSchemas(text)).toBeNull();
  });
});
