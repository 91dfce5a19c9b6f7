-- The tokens that a turn has reserved of the agent's budgets while it runs (BUDGET-7).
ALTER TABLE turns ADD COLUMN reserved_tokens {{int}} NOT NULL DEFAULT 0;
