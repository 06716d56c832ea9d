import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { arrive, letIn, orderChannel, throwOut } from './advertiser-setup.ts';

describe('an order created in the bot', () => {
  const service = useService();

  it('can be resumed through the API only while the service bot has access to the chat', async () => {
    const { sandbox } = service;
    const olga = await arrive(sandbox, 'en');
    const { orderId, channel } = await orderChannel(sandbox, olga);
    const { token } = await sandbox.publisher({ account_id: olga.accountId, beta: true });
    const call = (method: string, path = '') =>
      sandbox.call(method, `/api/v1/orders/${orderId}${path}`, method === 'POST' ? {} : undefined, { auth: token });
    assert.equal((await call('GET')).body.status, 'active');

    await throwOut(sandbox, olga.person, channel);
    assert.equal((await call('GET')).body.status, 'paused');
    const refused = await call('POST', '/resume');
    assert.deepEqual([refused.status, refused.body.code], [422, 'resource_refused']);
    assert.equal((await call('GET')).body.status, 'paused');

    await letIn(sandbox, olga.person, channel);
    assert.equal((await call('POST', '/resume')).body.status, 'active');
  });

  it('that its owner paused resumes even when Telegram is unreachable', async () => {
    const { sandbox } = service;
    const olga = await arrive(sandbox, 'en');
    const { orderId } = await orderChannel(sandbox, olga);
    const { token } = await sandbox.publisher({ account_id: olga.accountId, beta: true });
    const post = (verb: string) => sandbox.call('POST', `/api/v1/orders/${orderId}/${verb}`, {}, { auth: token });
    assert.equal((await post('pause')).body.status, 'paused');
    await sandbox.fault({ mode: 'down' });
    assert.equal((await post('resume')).body.status, 'active');
  });
});
