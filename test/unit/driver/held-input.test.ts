import { describe, expect, it } from "vitest";
import { SimulatedScreen } from "../../../infra/demo-desk/simulated-screen.ts";
import { createLocalDesktop } from "../../../infra/driver/desktops/local-desktop.ts";
import { askDesktop } from "../../support/fake-service/ask-desktop.ts";
import { HeldDesktop } from "../../support/fake-service/held-desktop.ts";
import { settle } from "../../support/fake-service/manual-timing.ts";
import { startDriver } from "../../support/fake-service/start-driver.ts";

/** A driver that has started, whose release at the start is not counted. */
async function startHolding() {
  const world = await startDriver();
  world.desktop.releases = 0;
  return world;
}

describe("what is held down", () => {
  it("is released when the driver starts: one before it may have crashed", async () => {
    const { desktop } = await startDriver();
    expect(desktop.releases).toBe(1);
  });

  it("is released when the driver is stopped", async () => {
    const { desktop, driver } = await startHolding();
    await driver.stop();
    expect(desktop.releases).toBe(1);
  });

  it("is released when the driver is shut down by request", async () => {
    const underTest = await startHolding();
    await underTest.service.latest.ask({ path: "/internal/shutdown", body: Buffer.from("{}") });
    await underTest.timing.advance(250);
    expect([underTest.desktop.releases, underTest.end]).toEqual([1, "shutdown"]);
  });

  it("is released when the service ends the driver", async () => {
    const underTest = await startHolding();
    underTest.service.latest.goodbye("revoked");
    await settle();
    expect([underTest.desktop.releases, underTest.end]).toEqual([1, "revoked"]);
  });

  it("is released 60 s after the service was lost, once", async () => {
    const { desktop, service, timing } = await startHolding();
    service.refusals.push(...Array.from({ length: 20 }, () => ({ status: 500 })));
    service.latest.vanish();
    await timing.advance(59_999);
    expect(desktop.releases).toBe(0);
    await timing.advance(1);
    expect(desktop.releases).toBe(1);
    await timing.advance(120_000);
    expect(desktop.releases).toBe(1);
  });

  it("stays while the service is back within 60 s, however often that happens", async () => {
    const { desktop, service, timing, driver } = await startHolding();
    for (let loss = 0; loss < 3; loss += 1) {
      service.latest.vanish();
      await timing.advance(50_000);
      expect(driver.isConnected).toBe(true);
    }
    expect(desktop.releases).toBe(0);
  });

  it("stays while the connection is replaced by the next one", async () => {
    const { desktop, service, timing } = await startHolding();
    await timing.advance(120 * 60_000);
    expect(service.connections.length).toBeGreaterThan(1);
    expect(desktop.releases).toBe(0);
  });

  it("never keeps the driver from ending", async () => {
    const broken = new HeldDesktop();
    broken.releaseHeld = () => Promise.reject(new Error("no display"));
    const failing = await startDriver({ desktop: broken });
    await failing.driver.stop();
    await settle();
    expect(failing.end).toBe("stopped");
    expect(failing.logged).toContainEqual({
      level: "warn",
      message: "held keys and buttons not released",
      fields: { reason: "no display" },
    });

    const stuck = new HeldDesktop();
    stuck.releaseHeld = () => new Promise(() => {});
    const late = await startDriver({ desktop: stuck });
    void late.driver.stop();
    await late.timing.advance(1_999);
    expect(late.end).toBeUndefined();
    await late.timing.advance(1);
    expect(late.end).toBe("stopped");
  });

  it("is released after the action that is under way", async () => {
    const gate = Promise.withResolvers<void>();
    class SlowScreen extends SimulatedScreen {
      override async clickMouse(input: Parameters<SimulatedScreen["clickMouse"]>[0]): Promise<void> {
        await gate.promise;
        await super.clickMouse(input);
      }
    }
    const screen = new SlowScreen();
    const desktop = createLocalDesktop({ screen, root: "/nowhere", allowShell: false });
    const clicking = askDesktop(desktop, "POST", "input/mouse/click", { body: { down: true } });
    await settle();
    const releasing = desktop.releaseHeld();
    await settle();
    gate.resolve();
    await Promise.all([clicking, releasing]);
    expect(screen.events).toMatchObject([
      { kind: "button", down: true },
      { kind: "button", down: false },
    ]);
  });
});
