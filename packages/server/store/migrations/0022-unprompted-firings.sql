-- 1: the firing belongs to a chain that a bot began unprompted; its `human_key` is the owner of that bot.
ALTER TABLE turns ADD COLUMN unprompted {{int}} NOT NULL DEFAULT 0;
-- For counting the unprompted firings of an owner within an hour.
CREATE INDEX turns_unprompted ON turns (human_key, created_at) WHERE unprompted = 1;
