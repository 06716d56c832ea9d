ALTER TABLE bots ADD COLUMN warns_of_unknown_orders boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN bots.warns_of_unknown_orders IS
  'Confirming an unknown task returns 200 with a warning instead of 404, for adapters that let users in on errors.';
