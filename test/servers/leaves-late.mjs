// A server that takes its time to leave: `leaves-late.mjs MS` leaves that long after the end of its input and says so;
// `leaves-late.mjs on-signal` ignores the end of its input and leaves, tidily, on SIGTERM.
const [, , when] = process.argv;

const leave = (words, code) => process.stdout.write(`${words}\n`, () => process.exit(code));

process.on('SIGTERM', () => (when === 'on-signal' ? leave('tidied up', 6) : leave('was signalled', 7)));
process.stdin.resume();
if (when === 'on-signal') setTimeout(() => process.exit(9), 60_000);
else process.stdin.on('end', () => setTimeout(() => leave('left by itself', 5), Number(when)));
process.stdout.write('ready\n');
