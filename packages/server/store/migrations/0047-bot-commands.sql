-- A JSON list of the commands that the bot offers; null if there are none.
ALTER TABLE bots ADD COLUMN commands TEXT;
-- 1: presses and submitted forms are sent to the bot, and the service confirms none of them (ACTION-12).
ALTER TABLE bots ADD COLUMN handles_actions {{int}} NOT NULL DEFAULT 0;
