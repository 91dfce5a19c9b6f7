/** An id that is well formed and of nothing. */
export const unknownId = '00000000-0000-7000-8000-000000000000';
