import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import { deriveId } from "../../shared/domain/derive-id.ts";
import type { DriverRequest } from "../../shared/domain/tunnel/driver-channel.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type GivenFile, giveFiles } from "../support/execution/input-files.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import type { Recording } from "../support/execution/record-demo.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "run-files-"));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const write = (path: string, content = "7"): Action => ({ type: "write_file", path, content });
const finish: Action = { type: "finish", output: { folder: "{exports}" } };

function recorded(actions: readonly Action[], checks: Recording["checks"] = []): Recording {
  const elements = actions.map((action) => ({ action, by: "replay" as const, timeoutMs: 0 }));
  return { elements, checks, expect: [], dimensions: { width: 1280, height: 800 } };
}

interface Given {
  readonly actions?: readonly Action[];
  readonly checks?: Recording["checks"];
  readonly files?: readonly GivenFile[];
  readonly exports?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly maxSteps?: number;
  readonly kills?: KillSwitch;
}

async function worldWith(given: Given = {}) {
  const { actions, checks, files = [], exports = true, secrets = {}, maxSteps = 100, kills } = given;
  const recording = recorded(actions ?? [{ type: "finish" }], checks);
  const world = await executionWorld({
    recording,
    root,
    secrets,
    workflow: { includesFileExports: exports, maxSteps },
    ...(kills && { kills }),
  });
  await giveFiles(world, files);
  return world;
}

async function outputs({ find, stores, organizationId }: ExecutionWorld) {
  const { outputAttachmentIds = [] } = (await find()) ?? {};
  return await Promise.all(
    outputAttachmentIds.map(async (id) => {
      const attachment = await stores.attachments.find(organizationId, id);
      const key = stores.files.attachmentKey(organizationId, attachment?.runId ?? "", id);
      const bytes = await stores.files.get(key, 1_000);
      expect(attachment?.sizeBytes).toBe(bytes?.byteLength);
      return [attachment?.filename, new TextDecoder().decode(bytes)];
    }),
  );
}

async function stepsOf(world: ExecutionWorld) {
  return (await world.steps()).map(({ source, action, status }) => [source, action.type, status]);
}

const exportsOf = ({ run }: ExecutionWorld) => join(root, `Transfers/exports-${run.id}-1`);

describe("a run's input files", () => {
  it("are on the desktop before the first action, each a step, and stay unless they are to go", async () => {
    const world = await worldWith({
      exports: false,
      files: [
        { filename: "orders 1.csv", content: "a;b" },
        { filename: "ключ.txt", content: "", isRemoved: true },
        { filename: "deep.txt", content: "x", targetPath: "~/in/deep/" },
      ],
      actions: [
        { type: "read_file", path: "~/Transfers/orders 1.csv", save_as: "orders" },
        { type: "read_file", path: "~/Transfers/ключ.txt", save_as: "nothing" },
        { type: "finish", output: { orders: "{orders}", nothing: "{nothing}" } },
      ],
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await world.find()).toMatchObject({
      error: [],
      outputAttachmentIds: [],
      usageMetadata: { replayed_steps: 2 },
      outputData: { value: { orders: "a;b", nothing: "" } },
    });
    expect(await readdir(join(root, "Transfers"))).toEqual(["orders 1.csv"]);
    expect(await readFile(join(root, "in/deep/deep.txt"), "utf8")).toBe("x");
    expect(await stepsOf(world)).toEqual([
      ...Array(3).fill(["service", "write_file", "done"]),
      ...Array(2).fill(["replay", "read_file", "done"]),
      ["replay", "finish", "done"],
      ["service", "remove_file", "done"],
    ]);
  });

  it("are removed when the run fails, too", async () => {
    const world = await worldWith({
      files: [{ filename: "a.txt", content: "a", isRemoved: true }],
      actions: [{ type: "read_file", path: "~/Transfers/none.txt", save_as: "none" }],
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
    expect(await world.find()).toMatchObject({ errorCode: "step_failed", outputAttachmentIds: [] });
    expect(await readdir(join(root, "Transfers"))).toEqual([`exports-${world.run.id}-1`]);
  });

  it("are emptied by a driver that removes none, and the step says so", async () => {
    await mkdir(join(root, "Transfers"));
    const file = { filename: "a.txt", content: "a", isRemoved: true };
    const world = await worldWith({ exports: false, files: [file] });
    Object.assign(world.driver.desktop, { capabilities: ["computer/batch"] });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await readFile(join(root, "Transfers/a.txt"), "utf8")).toBe("");
    expect((await world.steps()).at(-1)).toMatchObject({
      action: { type: "remove_file" },
      status: "done",
      text: "the machine's driver cannot remove files: it was emptied",
    });
  });

  it.each([
    ["cannot be put where it is to go", "~/../a.txt", "the path is outside the folder"],
    ["is to go where a folder is", "~/Transfers", "the path is no file"],
  ])("end the run as file_failed when one %s", async (_, targetPath, reason) => {
    await mkdir(join(root, "Transfers"));
    const world = await worldWith({
      files: [
        { filename: "a.txt", content: "a", isRemoved: true },
        { filename: "b.txt", content: "b", targetPath },
      ],
      actions: [write("~/Transfers/acted.txt"), finish],
    });
    await world.execute();
    const { errorCode, error } = (await world.find()) ?? {};
    expect(errorCode).toBe("file_failed");
    expect(error?.[0]).toContain(`the file b.txt could not be put at ${targetPath}: ${reason}`);
    expect(await readdir(join(root, "Transfers"))).toEqual([`exports-${world.run.id}-1`]);
  });

  it("end the run before its desktop is touched when one is gone", async () => {
    const world = await worldWith({ files: [{ filename: "a.txt", content: "a" }] });
    const { stores, organizationId, run, clock } = world;
    const id = (await stores.runs.find(organizationId, run.id))?.inputAttachmentIds[0] ?? "";
    const updatedAt = new Date(clock.now()).toISOString();
    await stores.attachments.setExpiry(organizationId, id, { expiresAt: updatedAt, updatedAt });
    clock.advance(1);
    await world.execute();
    expect(await world.find()).toMatchObject({
      errorCode: "file_failed",
      error: [`the input file ${id} is not there any more`],
    });
    expect(world.driver.done).toEqual([]);
  });

  it("are waited for while their upload may come, for 15 minutes from when they were added", async () => {
    const { world, key } = await worldWithoutUpload();
    const { clock, files } = world;
    let looks = 0;
    const { size } = files;
    files.size = async (asked) => {
      looks += 1;
      if (looks === 100) await files.put(key, new TextEncoder().encode("late"), "text/plain");
      return await size.call(files, asked);
    };
    const beganMs = clock.now();
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(Math.round((clock.now() - beganMs) / 1_000)).toBe(99 * 5);
    expect(await readFile(join(root, "Transfers/a.txt"), "utf8")).toBe("late");
  });

  it("end the run as file_failed when they were never uploaded", async () => {
    const { world } = await worldWithoutUpload();
    const beganMs = world.clock.now();
    await world.execute();
    expect(world.clock.now() - beganMs).toBeGreaterThanOrEqual(890_000);
    const { errorCode, error } = (await world.find()) ?? {};
    expect(errorCode).toBe("file_failed");
    expect(error?.[0]).toContain("a.txt could not be put at ~/Transfers/a.txt: its file is not there");
    expect(world.driver.done.filter(({ path }) => path.endsWith("fs/write"))).toEqual([]);
  });

  it("are waited for no more once the run was ended by somebody else", async () => {
    const { world } = await worldWithoutUpload();
    const { stores, clock, organizationId, run, files, job } = world;
    const { size } = files;
    files.size = async (asked) => {
      const { assignmentId } = job;
      await stores.runs.update(organizationId, run.id, { status: "cancelled" }, { assignmentId });
      return await size.call(files, asked);
    };
    const beganMs = clock.now();
    expect(await world.execute()).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(clock.now() - beganMs).toBeLessThan(10_000);
  });

  async function worldWithoutUpload() {
    const world = await worldWith({ exports: false, files: [{ filename: "a.txt", content: "a" }] });
    const { files, organizationId, run } = world;
    const key = files.attachmentKey(organizationId, run.id, deriveId(run.id, 1));
    await files.remove(key);
    return { world, key };
  }

  it("count for nothing in max_steps", async () => {
    const files = Array.from({ length: 5 }, (_, at) => ({ filename: `${at}.txt`, content: "" }));
    const world = await worldWith({ files, actions: [write("{exports}/a"), finish], maxSteps: 2 });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
  });
});

describe("a run's exports", () => {
  it("become output attachments, whatever their names, and then go from the desktop", async () => {
    const world = await worldWith({
      actions: [
        write("{exports}/b ü 表.csv", "größer"),
        write("{exports}/a.csv", "1"),
        write("{exports}/.hidden"),
        write("{exports}/empty.txt", ""),
        finish,
      ],
      checks: [{ kind: "file", path: "{exports}/a.csv" }],
    });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await outputs(world)).toEqual([
      ["a.csv", "1"],
      ["b ü 表.csv", "größer"],
      ["empty.txt", ""],
    ]);
    expect(await world.find()).toMatchObject({ outputData: { value: { folder: exportsOf(world) } } });
    expect(await readdir(join(root, "Transfers"))).toEqual([]);
    const steps = await stepsOf(world);
    expect([steps[0], ...steps.slice(6)]).toEqual([
      ["service", "make_folder", "done"],
      ["service", "list_files", "done"],
      ...Array(3).fill(["service", "read_file", "done"]),
      ["service", "remove_file", "done"],
    ]);
  });

  it("are the first 20 by name, none larger than 100 MB and no folder; what stays is said", async () => {
    const world = await worldWith();
    const folder = exportsOf(world);
    await mkdir(join(folder, "a-folder"), { recursive: true });
    for (let at = 1; at <= 21; at += 1) await writeFile(join(folder, `f${String(at).padStart(2, "0")}`), "");
    await writeFile(join(folder, "b-large"), "");
    await truncate(join(folder, "b-large"), 104_857_601);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect((await outputs(world)).map(([name]) => name).slice(-2)).toEqual(["f19", "f20"]);
    expect((await world.find())?.outputAttachmentIds).toHaveLength(20);
    const listed = (await world.steps()).find(({ action }) => action.type === "list_files");
    expect(listed?.text).toBe(
      "left on the desktop: a-folder (a folder), b-large (larger than 100 MB), f21 (more than 20 files)",
    );
    expect(await readdir(folder)).toHaveLength(23);
  });

  it("are told of without the secrets that a program put into their names", async () => {
    const world = await worldWith({ secrets: { token: "dasCanary77" } });
    const folder = exportsOf(world);
    await mkdir(join(folder, "folder-dasCanary77"), { recursive: true });
    await writeFile(join(folder, "of dasCanary77.csv"), "1");
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await outputs(world)).toEqual([["of {$token}.csv", "1"]]);
    const steps = await world.steps();
    expect(steps.map(({ text }) => text)).toContain("left on the desktop: folder-{$token} (a folder)");
    expect(JSON.stringify([steps, await world.find()])).not.toContain("dasCanary77");
  });

  it("are none when nothing is there, not even the folder", async () => {
    const world = await worldWith({
      actions: [{ type: "wait", seconds: 1 }, { type: "finish" }],
    });
    const { clock } = world;
    const { sleep } = clock;
    clock.sleep = async (ms: number) => {
      await rm(exportsOf(world), { recursive: true });
      await sleep.call(clock, ms);
    };
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect((await world.find())?.outputAttachmentIds).toEqual([]);
  });

  it("are nothing that a text may name without includes_file_exports", async () => {
    const world = await worldWith({ exports: false, actions: [write("{exports}/a"), { type: "finish" }] });
    await world.execute();
    expect(await world.find()).toMatchObject({ errorCode: "input_missing" });
  });
});

describe("a run with files", () => {
  const busy: Given = {
    files: [
      { filename: "in.txt", content: "in", isRemoved: true },
      { filename: "kept.txt", content: "kept" },
    ],
    actions: [write("{exports}/a.txt", "a"), write("{exports}/b.txt", "b"), finish],
  };

  async function expectWhole(world: ExecutionWorld, where: string) {
    const run = await world.find();
    expect({ where, status: run?.status, error: run?.error }).toEqual({
      where,
      status: "success",
      error: [],
    });
    expect({ where, outputs: await outputs(world) }).toEqual({
      where,
      outputs: [
        ["a.txt", "a"],
        ["b.txt", "b"],
      ],
    });
    const page = { skip: 0, limit: 100 };
    const { organizationId, stores, clock } = world;
    const made = await stores.attachments.list(organizationId, { type: "output" }, page, clock.now());
    expect({ where, made: made.total }).toEqual({ where, made: 2 });
    expect({ where, left: await readdir(join(root, "Transfers")) }).toEqual({ where, left: ["kept.txt"] });
  }

  it.each([
    ["at once, with the same driver", { resumeAfterMs: 0, isRestarted: false }],
    ["after 11 minutes, with the driver started anew", { resumeAfterMs: 660_000, isRestarted: true }],
  ])(
    "that is killed at each kind of call ends whole when it goes on %s",
    async (_, { resumeAfterMs, isRestarted }) => {
      const kills = new KillSwitch();
      await expectWhole(await executed(await worldWith({ ...busy, kills })), "alive");
      const kinds = Map.groupBy(kills.points, ({ when, name }) => `${when} ${name}`);
      for (const same of kinds.values()) {
        await rm(join(root, "Transfers"), { recursive: true });
        const { number, when, name } = same[Math.floor(same.length / 2)] as CallPoint;
        const world = await worldWith({ ...busy, kills: KillSwitch.at({ number, when }) });
        const onKill = () => (isRestarted ? world.driver.restart() : undefined);
        await world.execute({ resumeAfterMs, onKill });
        await expectWhole(world, `${when} ${name} (${number})`);
      }
    },
    120_000,
  );

  async function executed(world: ExecutionWorld) {
    await world.execute();
    return world;
  }

  it.each(["fs/folder", "fs/write", "fs/list", "fs/read", "fs/remove"])(
    "waits for a desktop that goes away at %s",
    async (operation) => {
      const world = await worldWith(busy);
      goesAwayAt(world, operation, 60_000);
      await world.execute();
      await expectWhole(world, operation);
    },
  );

  it.each([
    ["fs/write", "machine_unavailable"],
    ["fs/read", "machine_unavailable"],
    ["fs/remove", null],
  ])("ends after a while when it stays away at %s", async (operation, errorCode) => {
    const world = await worldWith(busy);
    goesAwayAt(world, operation, Number.POSITIVE_INFINITY);
    await world.execute();
    expect((await world.find())?.errorCode).toBe(errorCode);
  });

  it.each(["fs/write", "fs/read"])("takes its time with a file on a slow line, at %s", async (operation) => {
    const world = await worldWith(busy);
    const { clock } = world;
    const calls = isSlowAt(world, operation, 1_700_000);
    const beganMs = clock.now();
    await world.execute();
    expect(clock.now() - beganMs).toBeGreaterThan(1_700_000);
    await expectWhole(world, operation);
    // One transfer, under one action id, and no call from which the driver would seem mute.
    const [first, ...others] = calls;
    expect(others.length).toBeGreaterThan(50);
    const { actionId, timeoutMs } = first ?? {};
    expect(timeoutMs).toBe(20_000);
    expect(new Set(calls.map((each) => `${each.actionId} ${each.headers["x-long-transfer"]}`))).toEqual(
      new Set([`${actionId} true`]),
    );
  });

  it.each([
    ["fs/write", "the file in.txt could not be put at ~/Transfers/in.txt"],
    ["fs/read", "a.txt could not be fetched"],
  ])("gives up a file that takes longer than half an hour, at %s", async (operation, said) => {
    const world = await worldWith(busy);
    isSlowAt(world, operation, Number.POSITIVE_INFINITY);
    await world.execute();
    const { errorCode, error } = (await world.find()) ?? {};
    expect([errorCode, error?.[0]]).toEqual([
      "file_failed",
      expect.stringMatching(`${said}.*: it was still on its way after 30 minutes`),
    ]);
  });

  it.each(["fs/write", "fs/read"])(
    "says of a driver that only takes a call's time that it cannot, at %s",
    async (operation) => {
      const world = await worldWith(busy);
      Object.assign(world.driver.desktop, { capabilities: ["computer/batch", "fs_manage"] });
      const calls = isSlowAt(world, operation, Number.POSITIVE_INFINITY);
      await world.execute();
      const { errorCode, error } = (await world.find()) ?? {};
      expect([errorCode, error?.[0]]).toEqual([
        "file_failed",
        expect.stringContaining(
          "it takes longer than the 25 s of a call, and the machine's driver does not name long_transfers",
        ),
      ]);
      expect(calls.map(({ headers, timeoutMs }) => [headers["x-long-transfer"], timeoutMs])).toEqual(
        Array(2).fill([undefined, 25_000]),
      );
    },
  );

  /** The first transfer of that operation takes so long; what was asked of it until then. */
  function isSlowAt({ driver, clock }: ExecutionWorld, operation: string, ms: number) {
    const request = driver.request.bind(driver);
    const calls: DriverRequest[] = [];
    let doneAtMs: number | undefined;
    driver.request = async (asked) => {
      if (!asked.path.endsWith(operation) || (asked.bodyKey ?? asked.answerKey) === undefined)
        return await request(asked);
      doneAtMs ??= clock.now() + ms;
      if (clock.now() >= doneAtMs) return await request(asked);
      calls.push(asked);
      clock.advance(asked.timeoutMs);
      if (clock.now() >= doneAtMs) await request(asked);
      return { kind: "timeout" };
    };
    return calls;
  }

  /** From its first call of that operation on, for so long. */
  function goesAwayAt({ driver, clock }: ExecutionWorld, operation: string, ms: number) {
    const request = driver.request.bind(driver);
    let backAtMs: number | undefined;
    driver.request = async (asked) => {
      if (asked.path.endsWith(operation)) backAtMs ??= clock.now() + ms;
      driver.isAway = backAtMs !== undefined && clock.now() < backAtMs;
      return await request(asked);
    };
  }

  it("does nothing more with files once it was ended by somebody else", async () => {
    const world = await worldWith(busy);
    const request = world.driver.request.bind(world.driver);
    world.driver.request = async (asked) => {
      const answer = await request(asked);
      if (asked.path.endsWith("fs/list")) {
        const { organizationId, run, job, stores } = world;
        const { assignmentId } = job;
        await stores.runs.update(organizationId, run.id, { status: "cancelled" }, { assignmentId });
      }
      return answer;
    };
    expect(await world.execute()).toEqual({ kind: "stopped", reason: "run_ended" });
    expect((await readdir(join(root, "Transfers"))).length).toBe(3);
    expect((await world.find())?.outputAttachmentIds).toEqual([]);
  });
});
