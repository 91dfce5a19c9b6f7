-- 1: the message asked the agent: it mentioned it, quoted it, or was a human's in a direct chat with it. Firings from
-- before this column count as such.
ALTER TABLE turns ADD COLUMN asked {{int}} NOT NULL DEFAULT 1;
-- How many messages of the bot, beside its reply, quote the message that fired it.
ALTER TABLE turns ADD COLUMN quotes {{int}} NOT NULL DEFAULT 0;
