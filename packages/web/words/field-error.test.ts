import { ApiError } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { fieldError } from './field-error.ts';

const refused = (field: string, description: string) =>
  new ApiError(400, { error_code: 'invalid_argument', description, parameters: { field } });

describe('an error about a field', () => {
  it('is worded to be shown beside the field', () => {
    expect(fieldError(refused('title', 'title: is empty'))).toEqual({ field: 'title', text: 'Fill this in.' });
    expect(fieldError(refused('bio', 'bio: is longer than 1024 bytes'))).toEqual({
      field: 'bio',
      text: 'This is too long.',
    });
    expect(fieldError(refused('config.limit', 'config.limit must be a number'))).toEqual({
      field: 'config.limit',
      text: 'This must be a number.',
    });
  });

  it('is null if the error is not about a field', () => {
    expect(fieldError(new ApiError(404, { error_code: 'not_found', description: 'not found: chat' }))).toBeNull();
    expect(fieldError(new Error('no network'))).toBeNull();
  });
});
