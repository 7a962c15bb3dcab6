import { readFileSync } from "node:fs";
import type { DeskInput } from "../../../infra/demo-desk/desk-options.ts";
import { readDemo } from "../../../infra/local/demo/demo-definition.ts";
import { Background } from "../../../shared/domain/background.ts";
import { TunnelDesktop } from "../../../shared/domain/desktop/tunnel-desktop.ts";
import type { Json } from "../../../shared/domain/json.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { TrajectoryElement } from "../../../shared/domain/trajectory/trajectory-element.ts";
import { systemClock, systemIds } from "../../../shared/runtime/system.ts";
import { zodTrajectoryReader } from "../../../shared/schema/zod-trajectory-reader.ts";
import { aMachine, anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { InMemoryFileStore } from "../fakes/in-memory-file-store.ts";
import { orderFile } from "./demo-file.ts";
import { DeskProcess, type DriverProcess } from "./driver-process.ts";
import {
  clickTaskBar,
  closeOrders,
  demoScript,
  orderScript,
  type Recording,
  record,
  recordReset,
} from "./record-demo.ts";

const savedOrder = [
  { x: 545, y: 490 },
  { x: 690, y: 190 },
];

const bareDesk = [{ x: 68, y: 66, isWhole: true }];

export async function recordDemo(): Promise<Recording> {
  const recording = await record(desktopOf(usualDesk()), demoScript, bareDesk);
  const reset = [
    await recordReset(desktopOf(usualDesk({ open: true })), closeOrders),
    await recordReset(desktopOf(usualDesk()), clickTaskBar),
    // The demo's last click leaves the pointer there, and the button then looks different.
    await recordReset(desktopOf(usualDesk({ open: true, hovered: "close" })), closeOrders),
  ];
  return { ...recording, reset };
}

export async function recordOrder(): Promise<Recording> {
  return await record(desktopOf(usualDesk()), orderScript, savedOrder);
}

function usualDesk(desk: DeskInput = {}): DeskProcess {
  return new DeskProcess({ desk, root: "/nowhere", clock: new FakeClock() });
}

export function returningRecording(): Recording {
  return recordingOf(readDemo().trajectory);
}

export function demoRecording(): Recording {
  return recordingOf(JSON.parse(readFileSync(orderFile, "utf8")));
}

function recordingOf(recorded: Readonly<Record<string, unknown>>): Recording {
  const { trajectory_data: data, reset, expect, dimensions } = recorded;
  const whole = { elements: elementsOf(data), expect, dimensions } as Recording;
  return reset === undefined ? whole : { ...whole, reset: elementsOf(reset) };
}

export function elementsOf(values: unknown): readonly TrajectoryElement[] {
  return (values as readonly Json[]).map((value) => {
    const read = zodTrajectoryReader.readElement(value);
    if (read.kind === "unreadable") throw new Error(read.reason);
    return read.element;
  });
}

export function desktopOf(driver: DriverProcess): TunnelDesktop {
  const organizationId: OrganizationId = anOrganization();
  const machine = aMachine({
    organizationId,
    capabilities: driver.desktop.capabilities,
    programs: driver.desktop.programs,
    connection: { id: systemIds.uuid7(), websocketId: "socket", host: "host" },
  });
  return new TunnelDesktop(
    {
      machines: { findWithCalls: async () => ({ machine, callsUnderWay: 0 }) },
      organizationCallsMax: 200,
      background: new Background(),
      channel: driver,
      ids: systemIds,
      files: new InMemoryFileStore(new FakeClock()),
      clock: systemClock,
    },
    { organizationId, runId: "recording", machineId: machine.id },
  );
}
