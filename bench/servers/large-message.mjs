// Writes one JSON-RPC message of exactly BYTES bytes, line end included, when a line comes in. With `emoji` its first character is
// one, so that the text does not fit one byte a character.
const [, , bytes, kind] = process.argv;
const message = (text) => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } })}\n`);
const head = kind === 'emoji' ? '🌉' : '';
const line = message(head + 'x'.repeat(Number(bytes) - message(head).length));
process.stdin.once('data', () => process.stdout.write(line));
process.stdin.on('end', () => process.exit(0));
