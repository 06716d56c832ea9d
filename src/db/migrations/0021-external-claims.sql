-- A subscription that the advertiser's side refused, or did not answer, is `rejected`: its (user, resource) is free again. One
-- that was reversed because the user left stays counted for ever.

ALTER TABLE offers DROP CONSTRAINT offers_state_check;
ALTER TABLE offers ADD CONSTRAINT offers_state_check
  CHECK (state IN ('pending', 'held', 'paid', 'settled', 'reversed', 'rejected', 'notgetted'));
