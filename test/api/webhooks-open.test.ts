import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from './use-service.ts';

const service = useService({ WEBHOOK_API: 'open' });

test('WEBHOOK_API=open lets every token use webhooks and leaves the other beta endpoints closed', async () => {
  const { sandbox } = service;
  const { token } = await sandbox.publisher();
  const body = { url: 'https://example.com/hook', events: ['subscription.confirmed'] };
  assert.equal((await sandbox.call('POST', '/api/v1/webhooks', body, { auth: token })).status, 201);
  assert.equal((await sandbox.call('GET', '/api/v1/webhooks', undefined, { auth: token })).body.webhooks.length, 1);
  assert.equal((await sandbox.call('GET', '/api/v1/orders', undefined, { auth: token })).status, 401);
});
