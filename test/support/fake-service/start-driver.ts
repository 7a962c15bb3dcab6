import {
  createDriver,
  type Driver,
  type DriverEnd,
  type DriverOptions,
} from "../../../infra/driver/create-driver.ts";
import type { LogField } from "../../../infra/driver/driver-log.ts";
import { FakeService } from "./fake-service.ts";
import { HeldDesktop } from "./held-desktop.ts";
import { ManualTiming, settle } from "./manual-timing.ts";

interface LoggedEvent {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, LogField>>;
}

export interface DriverUnderTest {
  readonly driver: Driver;
  readonly service: FakeService;
  readonly timing: ManualTiming;
  readonly desktop: HeldDesktop;
  readonly logged: LoggedEvent[];
  end: DriverEnd | undefined;
}

export async function startDriver(
  options: Partial<DriverOptions> = {},
  prepare: (service: FakeService) => void = () => {},
): Promise<DriverUnderTest> {
  const timing = new ManualTiming();
  const service = new FakeService(() => timing.now());
  prepare(service);
  const desktop = new HeldDesktop();
  const logged: LoggedEvent[] = [];
  const driver = createDriver({
    url: "wss://tunnel.invalid/stage",
    authorization: "Bearer key-under-test",
    fingerprint: "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11",
    hostname: "desk-1",
    desktop,
    dial: service.dial,
    timing,
    random: () => 0.5,
    pid: 4242,
    log: (level, message, fields = {}) => logged.push({ level, message, fields }),
    ...options,
  });
  const underTest: DriverUnderTest = { driver, service, timing, desktop, logged, end: undefined };
  void driver.finished.then((end) => {
    underTest.end = end;
  });
  driver.start();
  await settle();
  return underTest;
}
