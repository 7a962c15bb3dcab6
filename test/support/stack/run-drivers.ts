import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createDriver } from "../../../infra/driver/create-driver.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";

/**
 * Reference drivers in one process, one for each fingerprint (arguments: the address, then those), with displays in
 * memory. Writes one line of JSON, the machines' ids in that order, once all are connected; ends with a signal, or with
 * its parent's end of the pipe.
 */
const [url = "", ...fingerprints] = process.argv.slice(2);
const root = await mkdtemp(join(tmpdir(), "drivers-"));
const authorization = `Bearer ${process.env.DRIVER_KEY ?? ""}`;
const drivers = fingerprints.map((fingerprint) => {
  const desktop = createLocalDesktop({ screen: new SimulatedScreen(), root, allowShell: false });
  return createDriver({ url, authorization, fingerprint, desktop });
});
for (const driver of drivers) driver.start();
const connected = await Promise.all(drivers.map((driver) => driver.connected()));
process.stdout.write(`${JSON.stringify(connected.map(({ machineId }) => machineId))}\n`);

function end(): void {
  void Promise.all(drivers.map((driver) => driver.stop())).then(() => process.exit(0));
}
process.on("SIGTERM", end);
process.stdin.on("end", end).resume();
