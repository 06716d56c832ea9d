import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { REASON_CODES, USER_SIGNALS } from '../modules/quality/index.ts';
import { explainReason, explainSignal, QUALITY_TEXTS } from './quality.ts';

const FIGURES = new Proxy({} as Record<string, number>, { get: () => 7 });

describe('texts of quality', () => {
  it('explain every reason and every signal in both languages, with figures', () => {
    for (const language of ['ru', 'en'] as const) {
      const { reasons, advice, signals } = QUALITY_TEXTS[language];
      assert.deepEqual(Object.keys(reasons), [...REASON_CODES]);
      assert.deepEqual(Object.keys(advice), [...REASON_CODES]);
      assert.deepEqual(Object.keys(signals), [...USER_SIGNALS]);
      for (const code of REASON_CODES) assert.match(explainReason(language, { code, figures: FIGURES }), /7.*[.)]$/);
      for (const signal of USER_SIGNALS) assert.match(explainSignal(language, { signal, figures: FIGURES }), /\.$/);
    }
  });

  it('are in the right language', () => {
    const { reasons, signals, advice } = QUALITY_TEXTS.en;
    for (const sentence of [...Object.values(reasons), ...Object.values(signals)]) {
      assert.doesNotMatch(sentence(FIGURES), /[а-яё]/i);
    }
    for (const text of Object.values(advice)) assert.doesNotMatch(text, /[а-яё]/i);
  });

  it('show a code that this version does not know', () => {
    assert.equal(explainReason('en', { code: 'newer', figures: {} }), 'newer');
  });
});
