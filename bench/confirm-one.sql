-- The yardstick: the writes of a confirm in one function that is called once per request. It writes the same rows with the
-- same guarantees (each confirm is paid once, from the reservation of its task), without group commit. Its tasks are rows
-- of a table: reading them from the text of a task list would only make the yardstick slower.
CREATE OR REPLACE FUNCTION bench_confirm(p_user bigint, p_bot bigint, p_order bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  task bench_tasks%ROWTYPE;
  at timestamptz := now();
  today date := (now() AT TIME ZONE 'Europe/Moscow')::date;
BEGIN
  SELECT * INTO task FROM bench_tasks WHERE user_id = p_user AND bot_id = p_bot AND order_id = p_order FOR UPDATE;
  IF NOT FOUND OR task.state <> 'shown' OR task.expires_at <= at THEN RETURN NULL; END IF;
  IF EXISTS (SELECT 1 FROM banned_users WHERE user_id = p_user) THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT 1 FROM memberships m JOIN resources r ON r.chat_id = m.chat_id
                 WHERE m.user_id = p_user AND r.id = task.resource_id AND m.is_member) THEN RETURN NULL; END IF;

  PERFORM 1 FROM order_progress WHERE order_id = p_order FOR UPDATE;
  INSERT INTO counted_subscriptions (user_id, resource_id, bot_id, order_id, counted_at)
  VALUES (p_user, task.resource_id, p_bot, p_order, at) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;

  UPDATE bench_tasks SET state = 'held', confirmed_at = at, release_at = at + interval '1 day',
    window_ends_at = at + interval '1 day', next_check_at = at + interval '1 day'
  WHERE user_id = p_user AND bot_id = p_bot AND order_id = p_order;
  UPDATE order_progress SET reserved_count = reserved_count - 1, reserved_kopecks = reserved_kopecks - task.charge_kopecks,
    counted_count = counted_count + 1, unsettled_count = unsettled_count + 1, confirmed_total = confirmed_total + 1,
    spent_kopecks = spent_kopecks + task.charge_kopecks, counted_day = today,
    counted_today = CASE WHEN counted_day = today THEN counted_today ELSE 0 END + 1
  WHERE order_id = p_order;

  INSERT INTO ledger_transfers (key, from_kind, from_owner_id, to_kind, to_owner_id, amount_kopecks, kind, order_id, bot_id, user_id, created_at) VALUES
    ('count:' || p_user || ':' || task.resource_id || ':margin', 'escrow', p_order, 'platform', p_order, task.charge_kopecks - task.reward_kopecks, 'margin_charged', p_order, p_bot, p_user, at),
    ('count:' || p_user || ':' || task.resource_id || ':reward', 'escrow', p_order, 'hold', task.account_id, task.reward_kopecks, 'reward_held', p_order, p_bot, p_user, at);
  UPDATE ledger_accounts SET balance_kopecks = balance_kopecks - task.charge_kopecks WHERE kind = 'escrow' AND owner_id = p_order;
  UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + task.reward_kopecks WHERE kind = 'hold' AND owner_id = task.account_id;
  UPDATE ledger_accounts SET balance_kopecks = balance_kopecks + task.charge_kopecks - task.reward_kopecks WHERE kind = 'platform' AND owner_id = p_order;
  INSERT INTO daily_totals AS d (day, bot_id, order_id, counted, charge_kopecks, reward_kopecks)
  VALUES (today, p_bot, p_order, 1, task.charge_kopecks, task.reward_kopecks)
  ON CONFLICT (bot_id, order_id, day) DO UPDATE SET counted = d.counted + 1,
    charge_kopecks = d.charge_kopecks + excluded.charge_kopecks, reward_kopecks = d.reward_kopecks + excluded.reward_kopecks;
  RETURN task.reward_kopecks;
END $$;
