-- Names and emoji are compared in other forms: `forms-anew.ts` writes them after this statement.
SELECT 1;
