import { describe, expect, it } from "vitest";
import { anApiKey, anOrganization } from "../../support/builders/entities.ts";
import { scheduleWorld, timeOf } from "../../support/schedules/schedule-world.ts";

describe("a schedule that is due", () => {
  it("starts a run of its creator at the minute itself, once", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ inputValues: { customer: "Ada" }, metadata: { team: "a" } });
    expect(schedule.dueAt).toBe("2026-01-15T12:01:00.000Z");
    // Invoked half a minute before, the function waits for the minute.
    await world.run();
    const [run, ...others] = await world.runsOf(schedule);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      scheduleId: schedule.id,
      userId: schedule.userId,
      workflowId: world.workflow.id,
      inputValues: { customer: "Ada" },
      metadata: { team: "a" },
      status: "scheduling",
      createdAt: "2026-01-15T12:01:00.000Z",
      queuedAt: "2026-01-15T12:01:00.000Z",
    });
    expect(await world.read(schedule)).toMatchObject({
      lastOutcome: "started",
      lastDueAt: "2026-01-15T12:01:00.000Z",
      lastFiredAt: "2026-01-15T12:01:00.000Z",
      lastRunId: run?.id,
      dueAt: "2026-01-15T12:02:00.000Z",
    });
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:01"]);
  });

  it("passes its files to the run", async () => {
    const world = await scheduleWorld();
    const content = Buffer.from("a list").toString("base64");
    const file = { filename: "list.txt", sizeBytes: 6, targetPath: null, cleanupImportsAfterRun: true };
    const schedule = await world.make({ files: [file], contents: { kind: "inline", value: [content] } });
    await world.run();
    const [run] = await world.runsOf(schedule);
    const [attachmentId = ""] = run?.inputAttachmentIds ?? [];
    const key = world.files.attachmentKey(world.organizationId, run?.id ?? "", attachmentId);
    expect(Buffer.from((await world.files.get(key, 100)) ?? []).toString()).toBe("a list");
  });

  it("is left alone before its time, and where it is switched off or over", async () => {
    const world = await scheduleWorld();
    const schedules = [
      await world.make({ everyMinutes: 10 }),
      await world.make({ isEnabled: false }),
      await world.make({ endsAt: "2026-01-15T12:00:40.000Z" }),
    ];
    await world.run();
    for (const schedule of schedules) expect(await world.runsOf(schedule)).toEqual([]);
    // With nothing planned, the function waits for nothing.
    expect(new Date(world.clock.now()).toISOString()).toBe("2026-01-15T12:00:30.000Z");
  });

  it("is over with its last time", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ endsAt: "2026-01-15T12:01:30.000Z" });
    await world.run();
    expect(await world.read(schedule)).toMatchObject({
      lastOutcome: "started",
      dueAt: null,
      isEnabled: true,
    });
    expect(await world.dueSchedules.listDue(world.clock.now() + 86_400_000)).toEqual([]);
  });

  it("does not keep the others waiting when it cannot be dealt with", async () => {
    const world = await scheduleWorld();
    const broken = await world.make({
      files: [],
      contents: { kind: "object", key: "none", bytes: 1, head: "" },
    });
    const schedule = await world.make();
    world.files.get = async () => {
      throw new Error("away");
    };
    await expect(world.run()).rejects.toThrow("1 schedules could not be dealt with");
    expect(await world.startedOf(schedule)).toEqual(["12:01"]);
    expect(await world.read(broken)).toMatchObject({ dueAt: broken.dueAt, lastOutcome: null });
  });
});

describe("a time while the run before has not ended", () => {
  it("is left out by skip", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ overlap: "skip" });
    await world.run();
    world.goTo("12:03:10");
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:01"]);
    expect(await world.read(schedule)).toMatchObject({ lastOutcome: "skipped" });
    await world.endRuns(schedule);
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:01", "12:05"]);
  });

  it("starts at once by allow", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ overlap: "allow" });
    await world.run();
    world.goTo("12:03:10");
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:01", "12:02", "12:03", "12:04"]);
  });

  it("waits by queue, one at most, and starts in the minute after that run's end", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ overlap: "queue", everyMinutes: 10 });
    world.goTo("12:10:01");
    await world.run();
    world.goTo("12:20:01");
    await world.run();
    expect(await world.read(schedule)).toMatchObject({
      lastOutcome: "queued",
      waitingDueAt: "2026-01-15T12:20:00.000Z",
      dueAt: "2026-01-15T12:30:00.000Z",
    });
    world.goTo("12:30:01");
    await world.run();
    expect(await world.read(schedule)).toMatchObject({
      lastOutcome: "skipped",
      waitingDueAt: "2026-01-15T12:20:00.000Z",
    });
    await world.endRuns(schedule);
    world.goTo("12:31:01");
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:10", "12:20"]);
    const [, waited] = await world.runsOf(schedule);
    expect(timeOf(waited?.queuedAt ?? null)).toBe("12:31");
    expect(await world.read(schedule)).toMatchObject({
      lastOutcome: "started",
      waitingDueAt: null,
      dueAt: "2026-01-15T12:40:00.000Z",
    });
  });
});

describe("a time that the service comes to late", () => {
  it("still starts its run after an hour, once, and those after it go by overlap", async () => {
    const world = await scheduleWorld();
    const skipping = await world.make({ overlap: "skip" });
    const queueing = await world.make({ overlap: "queue" });
    world.goTo("13:01:00");
    await world.run();
    expect(await world.startedOf(skipping)).toEqual(["12:01"]);
    expect(await world.read(skipping)).toMatchObject({
      lastOutcome: "skipped",
      dueAt: "2026-01-15T13:03:00.000Z",
    });
    expect(await world.startedOf(queueing)).toEqual(["12:01"]);
    expect(await world.read(queueing)).toMatchObject({ waitingDueAt: "2026-01-15T12:02:00.000Z" });
  });

  it("is missed later, with all others of that age in one write", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ everyMinutes: 10, overlap: "allow" });
    world.goTo("13:30:01");
    await world.run();
    expect(await world.startedOf(schedule)).toEqual(["12:40", "12:50", "13:00", "13:10", "13:20", "13:30"]);
    const fired = world.logger.lines.filter(({ message }) => message === "schedules fired");
    expect(fired[0]?.fields).toMatchObject({ missed: 3, started: 6, schedules_late_ms: 80 * 60_000 + 1_000 });
  });

  it("is missed after days, a day of minutes in a write", async () => {
    const world = await scheduleWorld();
    const schedule = await world.make({ overlap: "skip" });
    world.clock.advance(3 * 86_400_000);
    await world.run();
    const [fired] = world.logger.lines.filter(({ message }) => message === "schedules fired");
    expect(fired?.fields).toMatchObject({ missed: 3 * 1_440 - 60, started: 1, skipped: 1 });
    expect(await world.read(schedule)).toMatchObject({ missed: null, lastOutcome: "skipped" });
  });
});

describe("a schedule stops, and starts nothing more,", () => {
  it.each([
    ["key_revoked", { revokedAt: "2026-01-15T12:00:40.000Z" }],
    ["key_expired", { expiresAt: "2026-01-15T12:00:40.000Z" }],
  ] as const)("with its key: %s", async (disabledReason, change) => {
    const world = await scheduleWorld();
    const key = anApiKey({ organizationId: world.organizationId, ...change });
    await world.apiKeys.create(key);
    const schedule = await world.make({ keyId: key.id });
    await world.run();
    expect(await world.runsOf(schedule)).toEqual([]);
    expect(await world.read(schedule)).toMatchObject({
      isEnabled: false,
      disabledReason,
      dueAt: null,
      updatedAt: "2026-01-15T12:01:00.000Z",
    });
  });

  it("with its workflow, machine or pool", async () => {
    const world = await scheduleWorld();
    const { organizationId } = world;
    const workflow = await world.put.workflow({ organizationId });
    const machine = await world.put.machine({ organizationId });
    const pool = await world.put.pool({ organizationId });
    const schedules = [
      await world.make({ workflowId: workflow.id }),
      await world.make({ machineId: machine.id }),
      await world.make({ poolIds: [pool.id] }),
    ];
    const at = new Date(world.clock.now()).toISOString();
    await world.workflows.markDeleted(organizationId, workflow.id, at);
    await world.machines.markDeleted(organizationId, machine.id, at);
    await world.pools.markDeleted(organizationId, pool.id, at);
    await world.run();
    const reasons = await Promise.all(schedules.map(world.read));
    expect(reasons.map(({ disabledReason }) => disabledReason)).toEqual([
      "workflow_deleted",
      "machine_deleted",
      "pool_deleted",
    ]);
    for (const schedule of schedules) expect(await world.runsOf(schedule)).toEqual([]);
  });
});

describe("many schedules", () => {
  it("are dealt with by an invocation for each shard, which deals with its own alone", async () => {
    const world = await scheduleWorld();
    const organizations = Array.from({ length: 10 }, anOrganization);
    for (const organizationId of organizations) {
      const workflow = await world.put.workflow({ organizationId });
      for (let made = 0; made < 10; made += 1) await world.make({ organizationId, workflowId: workflow.id });
    }
    await world.run();
    const untilMs = Date.parse("2026-01-15T12:01:00.000Z");
    const shards = world.helpers.map(({ shard }) => shard);
    expect(new Set(shards).size).toBe(shards.length);
    expect(world.helpers.every((work) => work.untilMs === untilMs)).toBe(true);
    const totals = async () => {
      const page = { skip: 0, limit: 1 };
      const lists = organizations.map((organizationId) => world.runs.list(organizationId, {}, page));
      return (await Promise.all(lists)).map(({ total }) => total);
    };
    expect(await totals()).toEqual(organizations.map(() => 0));
    for (const [done, work] of world.helpers.entries()) {
      await world.instance()(work);
      const started = (await totals()).filter((total) => total === 10).length;
      expect(started).toBeGreaterThan(done);
    }
    expect(await totals()).toEqual(organizations.map(() => 10));
  });
});
