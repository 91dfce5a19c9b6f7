-- The embedded index has its version in its own file.
SELECT 1;
