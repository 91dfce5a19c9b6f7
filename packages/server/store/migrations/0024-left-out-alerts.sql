-- When the human was last alerted that a message of an agent left out agents. It is set on the newest firing of the
-- chain, or, where a bot began the chain unprompted, on the newest such firing of the bot's owner; null: never.
ALTER TABLE turns ADD COLUMN alerted_at {{int}};
