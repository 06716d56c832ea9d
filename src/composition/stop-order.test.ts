import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStopOrder } from './stop-order.ts';

function recorded() {
  const stopOrder = createStopOrder();
  const closed: string[] = [];
  const closing = (name: string) => async () => void closed.push(name);
  return { stopOrder, closed, closing };
}

test('entrances close before the parts, and a part closes before the parts that it uses', async () => {
  const { stopOrder, closed, closing } = recorded();
  stopOrder.addPart(closing('database'));
  stopOrder.addPart(closing('cache'));
  stopOrder.addEntrance(closing('server'));
  assert.equal(stopOrder.isStopping, false);
  await stopOrder.stop();
  assert.equal(stopOrder.isStopping, true);
  assert.deepEqual(closed, ['server', 'cache', 'database']);
});

test('a failed close is reported after everything else is closed', async () => {
  const { stopOrder, closed, closing } = recorded();
  stopOrder.addPart(closing('database'));
  stopOrder.addPart(() => Promise.reject(new Error('the cache is gone')));
  stopOrder.addEntrance(() => Promise.reject(new Error('the server is gone')));
  await assert.rejects(stopOrder.stop(), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message }: Error) => message),
      ['the server is gone', 'the cache is gone'],
    );
    return true;
  });
  assert.deepEqual(closed, ['database']);
});

test('a second stop closes nothing twice', async () => {
  const { stopOrder, closed, closing } = recorded();
  stopOrder.addPart(closing('database'));
  await stopOrder.stop();
  await stopOrder.stop();
  assert.deepEqual(closed, ['database']);
});
