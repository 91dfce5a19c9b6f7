/** A valid id that belongs to nothing. */
export const unknownId = '00000000-0000-7000-8000-000000000000';
