-- The service writes the forms of names and emoji after this (forms-anew.ts).
SELECT 1;
