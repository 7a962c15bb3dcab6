import { describe, expect, it } from "vitest";
import { isPassing } from "../../shared/aws/aws-failure.ts";
import { checkExecutions } from "../../shared/domain/maintenance/check-executions.ts";
import { type HeldWorldOptions, heldWorld } from "../support/execution/held-world.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const fiveMinutesMs = 300_000;

/** The engine's own timeout never comes: the sweeper alone wakes what waits. */
async function swept(
  meanwhile: (world: { resumeUntold: () => Promise<void>; advance: (ms: number) => void }) => Promise<void>,
  options: Partial<HeldWorldOptions> = {},
) {
  const repaired: number[] = [];
  const woken: string[] = [];
  const { world, executed } = await heldWorld({
    recording: scrolls(4),
    desk: smallDesk,
    secrets: {},
    at: ({ name, when }) => when === "after" && name === "checkpoint step 1",
    hold: { seconds: 60 },
    ...options,
    meanwhile: async ({ stores, durable, logger, clock, find }) => {
      const sweep = async () => {
        const finder = { find: async () => "open" as const };
        const complete = async (id: string) => {
          woken.push(id);
          await durable.complete(id);
        };
        const callbacks = { complete };
        const deps = { ...stores, logger, finder, callbacks, isPassing };
        const { found } = await checkExecutions(deps, Number.POSITIVE_INFINITY);
        repaired.push(found);
      };
      await sweep();
      await meanwhile({
        advance: (ms) => clock.advance(ms),
        resumeUntold: async () => {
          const run = await find();
          if (run === undefined) throw new Error("the run is gone");
          const resumedAt = new Date(clock.now()).toISOString();
          await stores.holds.release(run, { note: null, resumedAt, heldMs: 0 });
        },
      });
      await sweep();
    },
  });
  return { world, executed, repaired, woken };
}

describe("the sweeper", () => {
  it("wakes an executor whose hold has expired, and the run fails", async () => {
    const { world, repaired, woken } = await swept(async ({ advance }) => advance(fiveMinutesMs));
    expect([repaired, woken]).toEqual([[0, 1], [expect.any(String)]]);
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "hold_timed_out", held: null });
  });

  it("wakes an executor whose hold has expired, and the run goes on where its workflow says so", async () => {
    const { world, repaired } = await swept(async ({ advance }) => advance(fiveMinutesMs), {
      workflow: { onHoldTimeout: "resume" },
    });
    expect(repaired).toEqual([0, 1]);
    expect(await world.find()).toMatchObject({ status: "success", held: null });
  });

  it("wakes an executor that whoever resumed its run could not tell", async () => {
    const { world, repaired } = await swept(
      async ({ resumeUntold, advance }) => {
        advance(1_000);
        await resumeUntold();
        advance(60_000);
      },
      { hold: { seconds: 3_600 } },
    );
    expect(repaired).toEqual([0, 1]);
    expect(await world.find()).toMatchObject({ status: "success", held: null });
  });

  it("leaves an executor alone that is held still", async () => {
    const { repaired, woken } = await swept(async ({ advance }) => advance(fiveMinutesMs), {
      hold: { seconds: 600 },
    });
    expect([repaired, woken]).toEqual([[0, 0], []]);
  });
});
