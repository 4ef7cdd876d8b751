// Loaded before a program with --import: writes every program that it starts and every address it connects to, one a line, to the
// file named by STARTS_TRACED.
import { syncBuiltinESMExports } from 'node:module';

const { appendFileSync } = process.getBuiltinModule('node:fs');
const children = process.getBuiltinModule('node:child_process');
const net = process.getBuiltinModule('node:net');
const note = (...words) => appendFileSync(process.env.STARTS_TRACED, `${JSON.stringify(words)}\n`);

for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
  const original = children[name];
  children[name] = (command, ...rest) => {
    note('start', command, ...(Array.isArray(rest[0]) ? rest[0] : []));
    return original(command, ...rest);
  };
}
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function traced(...given) {
  const [first] = given.flat();
  note('connect', typeof first === 'object' && first !== null ? (first.path ?? `${first.host}:${first.port}`) : first);
  return connect.apply(this, given);
};
syncBuiltinESMExports();
