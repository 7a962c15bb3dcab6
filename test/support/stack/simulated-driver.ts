import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createDriver, type Driver } from "../../../infra/driver/create-driver.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import type { Screen } from "../../../infra/driver/screens/screen.ts";

/** The reference driver in this process, with a display in memory. */
export function startSimulatedDriver(url: string, key: string, desk?: DeskInput): Driver {
  return startScreenDriver(new SimulatedScreen({ ...(desk && { desk }) }), url, key);
}

/** The reference driver in this process, with any display. */
export function startScreenDriver(screen: Screen, url: string, key: string): Driver {
  const driver = createDriver({
    url,
    authorization: `Bearer ${key}`,
    fingerprint: randomUUID(),
    desktop: createLocalDesktop({ screen, root: tmpdir(), allowShell: false }),
  });
  driver.start();
  return driver;
}

/** One scroll through the public API. */
export async function scroll(baseUrl: string, machineId: string, key: string): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/computer/${machineId}/input/mouse/scroll`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"direction":"down","amount":1}',
  });
  await response.arrayBuffer();
  return response.status;
}
