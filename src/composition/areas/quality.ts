import { scoreSources } from '../../modules/quality/index.ts';
import type { Area, Base } from './area.ts';

/** Registers the hourly scoring of sources: docs/fraud.md. */
export function registerQuality({ config, db, clock, log, metrics }: Base): Area {
  return {
    jobs: [
      {
        name: 'score-sources',
        everySeconds: 3600,
        // A run over many users costs half a minute of processor time, so a failed one is not repeated at once.
        retrySeconds: 1200,
        async run() {
          const report = await scoreSources({
            db,
            clock,
            settings: config.quality,
            checkStrength: config.humanCheck?.strength,
          });
          metrics.sourcesScored(report);
          if (report.changes.length > 0)
            log.info({ changes: report.changes.slice(0, 100) }, 'levels of sources changed');
        },
      },
    ],
  };
}
