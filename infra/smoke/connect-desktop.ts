import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimulatedScreen } from "../demo-desk/simulated-screen.ts";
import { createDriver } from "../driver/create-driver.ts";
import { createLocalDesktop } from "../driver/desktops/local-desktop.ts";
import { findInTime, type Smoke } from "./smoke.ts";
import { SmokeFailure } from "./smoke-failure.ts";

const keyLifetimeMs = 3_600_000;

export interface SmokeDesktop {
  readonly machineId: string;
  readonly screen: SimulatedScreen;
  /** The driver's root, which the files of calls are in. */
  readonly folder: string;
}

/** The key expires by itself, should this process be killed. */
export async function makeKey({ admin, cleanup, name }: Smoke): Promise<string> {
  const expires_at = new Date(Date.now() + keyLifetimeMs).toISOString();
  const { id, api_key } = await admin.call("createApiKey", { body: { name, scopes: ["write"], expires_at } });
  cleanup.add(`API key ${id}`, () => admin.call("deleteApiKey", { path: { api_key_id: id } }));
  return api_key;
}

/** Connects by a ticket, so that the functions that issue and accept it must have the same key. */
export async function connectDesktop(smoke: Smoke, key: string): Promise<SmokeDesktop> {
  const { admin, cleanup, name } = smoke;
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  cleanup.add(`folder ${folder}`, () => rm(folder, { recursive: true, force: true }));
  const fingerprint = randomUUID();
  const client = smoke.clientOf(key);
  const { id: machineId } = await client.call("createMachine", { body: { fingerprint, name } });
  cleanup.add(`machine ${machineId}`, () => admin.call("deleteMachine", { path: { machine_id: machineId } }));
  const peer = { remotePeerId: name };
  const { desktopToken } = await client.call("createConnectionToken", { body: peer });
  const { tunnel } = await client.call("authorizeConnection", {
    body: { ...peer, desktopToken, machineApiKey: key, machineId },
  });
  if (tunnel === undefined) throw new SmokeFailure("driver", "the key may not open a tunnel");
  const screen = new SimulatedScreen();
  const refusals: string[] = [];
  const driver = createDriver({
    url: tunnel.url,
    authorization: `Ticket ${tunnel.ticket}`,
    fingerprint,
    name,
    desktop: createLocalDesktop({ screen, root: folder, allowShell: false }),
    log: (level, message, fields) => {
      if (level !== "info") refusals.push(`${message} ${JSON.stringify(fields ?? {})}`);
    },
  });
  cleanup.add("desktop", () => driver.stop());
  driver.start();
  let end: string | undefined;
  void driver.finished.then((reason) => {
    end = reason;
  });
  await findInTime(smoke, () => (driver.isConnected || end !== undefined ? true : undefined));
  if (driver.isConnected) return { machineId, screen, folder };
  const why = refusals.at(-1) ?? "no welcome came";
  throw new SmokeFailure("tunnel: its $connect, and the tunnel's key, which driver shares", why);
}

/** Lists are read from the table's indexes, some time after the write. */
export async function findInList(smoke: Smoke, { machineId }: SmokeDesktop): Promise<void> {
  const { admin, name } = smoke;
  const found = await findInTime(smoke, async () => {
    const { items } = await admin.call("listMachines", { query: { name } });
    return items.find(({ id, status }) => id === machineId && status === "connected");
  });
  if (found === undefined) throw new Error(`the list of machines has no connected ${name}`);
}

export async function scroll({ admin }: Smoke, { machineId, screen }: SmokeDesktop): Promise<void> {
  const hasScrolled = () => screen.events.some(({ kind }) => kind === "scroll");
  try {
    await admin.call("scrollMouse", {
      path: { machine_id: machineId },
      body: { direction: "down", amount: 1 },
    });
  } catch (error) {
    if (!hasScrolled()) throw error;
    const sentence = error instanceof Error ? error.message : String(error);
    throw new SmokeFailure("tunnel: the desktop's response, and the tunnel's key", sentence);
  }
  if (!hasScrolled()) throw new Error("the service says that it was done, and the desktop was not asked");
}
