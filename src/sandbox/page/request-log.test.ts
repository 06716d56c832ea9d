import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '../../core/clock.ts';
import { createRequestLog, mask } from './request-log.ts';

const requestAndReply = (url: string, body?: unknown, payload: unknown = '{}') =>
  [
    { url, method: 'POST', body } as FastifyRequest,
    { statusCode: 200, elapsedTime: 1.25 } as FastifyReply,
    payload,
  ] as const;

it('masks API tokens, webhook secrets and bot tokens, and keeps enough to tell two of them apart', () => {
  assert.equal(mask('/statistic?api_token=at_abcdEFGH1234&action=ads'), '/statistic?api_token=at_abcd…&action=ads');
  assert.equal(mask('{"secret":"whsec_AbC+/deFGH123="}'), '{"secret":"whsec_Ab…"}');
  assert.equal(mask('{"bot_token":"700000001:AAbbccddeeffgghhiijjkk"}'), '{"bot_token":"700000001:AA…"}');
  assert.equal(mask('{"user_id":100001,"at":"2026-01-01T10:00:00"}'), '{"user_id":100001,"at":"2026-01-01T10:00:00"}');
});

it('keeps the newest two hundred API requests and clips long bodies', () => {
  const log = createRequestLog(systemClock);
  log.record(...requestAndReply('/sandbox/state'));
  log.record(...requestAndReply('/api/v1/health'));
  for (let call = 0; call < 1_000; call++)
    log.record(...requestAndReply('/api/v1/get-sponsors', { text: 'x'.repeat(5_000) }));
  log.record(...requestAndReply('/statistic', undefined, Buffer.from('not text')));
  const all = log.since(0, 1_000);
  assert.equal(all.length, 200);
  assert.equal(all.at(-1)?.path, '/statistic');
  assert.deepEqual([all.at(-1)?.request, all.at(-1)?.response], [null, null]);
  assert.equal(all[0]?.request?.length, 2_000);
  const last = all.at(-1)?.id ?? 0;
  assert.deepEqual(log.since(last, 10), []);
  assert.deepEqual(
    log.since(0, 3).map(({ id }) => id),
    [last - 2, last - 1, last],
  );
});
