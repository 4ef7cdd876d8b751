/** A registry of packages on the loopback address that has one package, for one test. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectRoot } from './project-files.ts';
import { tempFolder } from './temp-folder.ts';

/** Serves the project as it would be published; resolves with the registry's URL. */
export async function serveOwnPackage(): Promise<string> {
  const folder = tempFolder();
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: projectRoot,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const [name = ''] = globSync('*.tgz', { cwd: folder });
  const tarball = readFileSync(join(folder, name));
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) {
      response.end(tarball);
      return;
    }
    if (request.url !== `/${manifest.name}`) {
      response.writeHead(404).end('{}');
      return;
    }
    const { port } = server.address() as AddressInfo;
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `http://127.0.0.1:${port}/${name}`, integrity };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: manifest.name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, scripts: {}, devDependencies: {}, dist } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
