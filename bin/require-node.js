// Plain JavaScript that runs on Node 18 and later, so that it can report an old Node that cannot run the TypeScript
// sources. `npm start` and `npm test` load this file first.
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  process.stderr.write(
    `Sponsorgate needs Node ${REQUIRED_MAJOR} or newer, and this is ${process.version}: run \`npm ci\` (on Linux x64/arm64 and ` +
      `Windows x64 it brings Node ${REQUIRED_MAJOR} along) and start it through npm (\`npm start\`, \`npm test\`); elsewhere, ` +
      `such as on macOS, install Node ${REQUIRED_MAJOR}.\n`,
  );
  process.exit(1);
}
