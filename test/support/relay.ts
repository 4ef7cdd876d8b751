import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  /** `url` with the relay's port. */
  through(url: URL): string;
  /** From now on nothing passes in either direction, and nobody is told: connections stay open, new ones are accepted. */
  fallSilent(): void;
  /** New connections pass again; those that fell silent stay so. */
  recover(): void;
  close(): Promise<void>;
}

/** A TCP relay to a port of the loopback address. */
export async function openRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let silent = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => socket.destroy()));
    return socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (silent) {
      near.pause();
      return;
    }
    const far = keep(connect(port, '127.0.0.1'));
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(url) {
      const own = new URL(url);
      own.port = String((server.address() as AddressInfo).port);
      return own.href;
    },
    fallSilent() {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    recover() {
      silent = false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
