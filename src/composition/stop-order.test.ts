import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStopOrder } from './stop-order.ts';

function recorded() {
  const order = createStopOrder();
  const closed: string[] = [];
  const closing = (name: string) => async () => void closed.push(name);
  return { order, closed, closing };
}

test('entrances close before the parts, and a part closes before the parts that it uses', async () => {
  const { order, closed, closing } = recorded();
  order.addPart(closing('database'));
  order.addPart(closing('cache'));
  order.addEntrance(closing('server'));
  assert.equal(order.isStopping, false);
  await order.stop();
  assert.equal(order.isStopping, true);
  assert.deepEqual(closed, ['server', 'cache', 'database']);
});

test('a failed close is reported after everything else is closed', async () => {
  const { order, closed, closing } = recorded();
  order.addPart(closing('database'));
  order.addPart(() => Promise.reject(new Error('the cache is gone')));
  order.addEntrance(() => Promise.reject(new Error('the server is gone')));
  await assert.rejects(order.stop(), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message }: Error) => message),
      ['the server is gone', 'the cache is gone'],
    );
    return true;
  });
  assert.deepEqual(closed, ['database']);
});

test('a second stop closes nothing twice', async () => {
  const { order, closed, closing } = recorded();
  order.addPart(closing('database'));
  await order.stop();
  await order.stop();
  assert.deepEqual(closed, ['database']);
});
