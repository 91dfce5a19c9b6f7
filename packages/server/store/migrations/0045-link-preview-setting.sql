-- 0: no previews of links are made for the person's messages, and its apps show none (LINK-9).
ALTER TABLE privacy ADD COLUMN link_previews {{int}} NOT NULL DEFAULT 1;
