-- The service's own tools that the owner lets an agent use: a JSON list of names; null for none.
ALTER TABLE agent_config ADD COLUMN built_in_tools TEXT;
