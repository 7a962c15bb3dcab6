import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export type LoopbackServer = {
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

export async function listenOnLoopback(server: Server, port: number): Promise<LoopbackServer> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    stop: async () => {
      const down = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await down;
    },
  };
}
