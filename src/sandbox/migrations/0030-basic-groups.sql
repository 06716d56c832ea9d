-- Basic groups, and what becomes of one that is upgraded to a supergroup. Chats without a public name have an invite link.
ALTER TABLE sandbox.tg_chats DROP CONSTRAINT tg_chats_type_check;
ALTER TABLE sandbox.tg_chats ADD CONSTRAINT tg_chats_type_check CHECK (type IN ('channel', 'supergroup', 'group'));
ALTER TABLE sandbox.tg_chats ADD COLUMN migrated_to bigint, ADD COLUMN invite_link text;
