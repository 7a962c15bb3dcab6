import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aRunBody, aStepBody } from "../../../support/cli/run-bodies.ts";
import { environment, runLine } from "../../../support/cli/run-line.ts";
import { runService } from "../../../support/cli/run-service.ts";

const { id } = aRunBody();
const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "das-cli-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const times = { started_at: "2026-11-27T12:00:00.000Z", ended_at: "2026-11-27T12:01:14.000Z" };
const success = { status: "success", output_data: { number: "1042" }, ...times } as const;

describe("das runs watch", () => {
  it("shows why the run waits, its steps with the model's words, and its output, and is 0", async () => {
    const { answer } = runService(
      [
        { status: "scheduling", waiting_reason: "all_busy", queue_position: 2 },
        { status: "running" },
        success,
      ],
      [
        aStepBody({ text: "The form is open;\nthe customer is first." }),
        aStepBody({ index: 2, action: { type: "key", keys: "Return" } }),
      ],
    );
    const { code, shown, errors } = await runLine(["runs", "watch", id], { answer });
    expect([code, errors]).toEqual([0, ""]);
    expect(shown.split("\n")).toEqual([
      "waits (all busy), 2 ahead",
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
      expect.any(String),
      "success after 1 min 14 s",
      "{",
      '  "number": "1042"',
      "}",
      "",
    ]);
    for (const line of [
      "runs",
      "  1  click the field Customer",
      "     The form is open;",
      "     the customer is first.",
      "  2  key Return",
    ]) {
      expect(shown.split("\n")).toContain(line);
    }
  });

  it("is 1 after a run that failed, and says why, at which step and what comes next", async () => {
    const { answer } = runService(
      [{ status: "task_failed", error: ["the form did not open"], error_code: "replay_diverged" }],
      [aStepBody(), aStepBody({ index: 2, status: "failed", error: "the place was not found" })],
    );
    const { code, shown } = await runLine(["runs", "watch", id], { answer });
    expect(code).toBe(1);
    expect(shown).toContain("task failed (replay_diverged)\nthe form did not open\n");
    expect(shown).toContain("at step  2  click the field Customer [failed]: the place was not found\n");
    expect(shown).toContain(`next: das runs retry ${id}`);
  });

  it("shows each event as a line of JSON with --json, and nothing else", async () => {
    const { answer } = runService([{ status: "running" }, success], [aStepBody()]);
    const { shown } = await runLine(["runs", "watch", id, "--json"], { answer });
    const events = shown
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: "run", run: { status: "running" } });
    expect(events).toContainEqual(expect.objectContaining({ event: "step" }));
    expect(events.at(-1)).toMatchObject({ event: "end", run: { status: "success" }, files: [] });
  });

  it("shows who holds the run and until when, and how a model's question is answered", async () => {
    const until = "2026-11-27T12:10:00.000Z";
    const since = "2026-11-27T12:00:00.000Z";
    const held = { by: { kind: "key", id: "key_7" }, reason: "a code is needed", since, until } as const;
    const asked = {
      by: { kind: "model", id: null },
      reason: "Which\u001b[2J customer?",
      since,
      until,
    } as const;
    const { answer } = runService([
      { status: "running", held },
      { status: "running", held: asked },
      { status: "success" },
    ]);
    const { shown } = await runLine(["runs", "watch", id], { answer });
    expect(shown).toContain(`held by the key key_7 until ${until} (in 10 min): a code is needed\n`);
    expect(shown).toContain(`the model asks, until ${until} (in 10 min): Which\\u{1b}[2J customer?\n`);
    expect(shown).toContain(`das runs resume ${id} --note "your answer"\n`);
  });

  it("draws a bar below the lines in a terminal, and takes it away at the end", async () => {
    const progress = {
      step: 3,
      of: 4,
      last_action: "click the field Customer, which is far to the right",
      at: times.started_at,
    };
    const { answer } = runService([{ status: "running", progress }, success]);
    const terminal = { environment, columns: 50, isInteractive: true };
    const { shown, errors } = await runLine(["runs", "watch", id], { answer, terminal });
    const bar = errors.split("\r").find((text) => text.startsWith("[#")) ?? "";
    expect(bar).toMatch(/^\[#{18}-{6}\] 3\/4 click the field/);
    expect(bar.length).toBeLessThan(50);
    expect(errors.endsWith("\r\u001b[2K")).toBe(true);
    expect(shown).not.toContain("3/4");
  });

  it("asks after ctrl-C whether to cancel the run, and does", async () => {
    const { answer } = runService([{ status: "running" }]);
    let interrupt = () => {};
    let reads = 0;
    const running = runLine(["runs", "watch", id], {
      answer: async (request) => {
        reads += 1;
        return await answer(request);
      },
      terminal: { environment, isInteractive: true, lines: ["y"] },
      onInterrupt: (listener) => {
        interrupt = listener;
      },
    });
    await vi.waitFor(() => expect(reads).toBeGreaterThan(2));
    interrupt();
    const { code, sent, errors, shown } = await running;
    expect(errors).toContain("Cancel the run? [y/N]");
    expect(sent.filter(({ url }) => url.endsWith("/cancel"))).toHaveLength(1);
    expect([code, shown.includes("cancelled")]).toEqual([1, true]);
  });

  it.each([
    ["a second ctrl-C", { isInteractive: true }, [false, false]],
    ["the first one where nobody can be asked", { isInteractive: false }, [false]],
    ["the end of the process", { isInteractive: true }, [true]],
  ])("leaves the run running after %s", async (_what, terminal, interrupts) => {
    const { answer } = runService([{ status: "running" }]);
    let interrupt = (_isFinal?: boolean) => {};
    let reads = 0;
    const running = runLine(["runs", "watch", id], {
      answer: async (request) => {
        reads += 1;
        return await answer(request);
      },
      terminal: { environment, ...terminal },
      onInterrupt: (listener) => {
        interrupt = listener;
      },
    });
    await vi.waitFor(() => expect(reads).toBeGreaterThan(2));
    for (const isFinal of interrupts) interrupt(isFinal);
    const { code, sent, errors } = await running;
    expect([code, errors.endsWith(`the run goes on: das runs watch ${id}\n`)]).toEqual([130, true]);
    expect(sent.filter(({ url }) => url.endsWith("/cancel"))).toEqual([]);
  });

  it("stores files in the folder alone, whatever their names are, and replaces none", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "passwd"), "mine");
    const { answer } = runService([{ ...success, output_attachment_ids: ["a-1", "a-2"] }]);
    const names: Readonly<Record<string, string>> = { "a-1": "passwd", "a-2": "../../.bashrc" };
    const { code, shown, sent } = await runLine(["runs", "watch", id, "--download", folder], {
      answer: async (request) => {
        const { pathname, host } = new URL(request.url);
        const [attachment = ""] = pathname.match(/a-\d/) ?? [];
        if (host === "bucket.example.com") return new Response(`bytes of ${attachment}`);
        if (pathname.endsWith("/download-url")) {
          return Response.json({ url: `https://bucket.example.com/${attachment}`, expires_in: 300 });
        }
        if (pathname.startsWith("/v1/run-attachments/"))
          return Response.json({ filename: names[attachment] });
        return await answer(request);
      },
    });
    expect(code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["_.._.bashrc", "passwd", "passwd (2)"]);
    expect(await readFile(join(folder, "passwd"), "utf8")).toBe("mine");
    expect(await readFile(join(folder, "passwd (2)"), "utf8")).toBe("bytes of a-1");
    expect(shown).toContain(`stored ${join(folder, "_.._.bashrc")}\n`);
    const toBucket = sent.filter(({ url }) => url.startsWith("https://bucket"));
    expect(toBucket.map(({ headers }) => headers.get("authorization"))).toEqual([null, null]);
  });
});

describe("das runs create", () => {
  it("sends inputs and files, and shows the run to its end with --watch", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "orders.csv"), "a,b\n");
    const { answer } = runService([success]);
    const { code, sent, shown, errors } = await runLine(
      [
        "runs",
        "create",
        id,
        "--input",
        "item=Lamp",
        "--input",
        "count:=3",
        "--file",
        "orders.csv=~/in/",
        "--watch",
      ],
      { answer, folder },
    );
    expect([code, errors]).toEqual([0, ""]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
      workflow_id: id,
      input_values: { item: "Lamp", count: 3 },
      file_inputs: [{ filename: "orders.csv", content: "YSxiCg==", target_path: "~/in/" }],
    });
    expect(shown).toMatch(new RegExp(`^run ${id}\nsuccess after`));
  });

  it.each([
    ["a file that is not there", ["--file", "none.csv"], "cannot be read: ENOENT"],
    ["files larger than a request", ["--file", "large.bin"], "at most 4194304 bytes in all"],
    ["--download alone", ["--download", "."], "--download needs --watch"],
    ["no workflow", [], "--workflow-id is needed"],
  ])("is 2 for %s, and sends nothing", async (what, options, sentence) => {
    const folder = await newFolder();
    await writeFile(join(folder, "large.bin"), new Uint8Array(4_194_305));
    const words = what === "no workflow" ? [] : [id];
    const { code, sent, errors } = await runLine(["runs", "create", ...words, ...options], { folder });
    expect([code, sent]).toEqual([2, []]);
    expect(errors).toContain(sentence);
  });
});
