import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type WatchMachinesDeps,
  watchMachines,
} from "../../../../infra/cli/commands/machines/watch-machines.ts";
import { ApiError } from "../../../../shared/client/api-error.ts";
import { encodePng } from "../../../../shared/pictures/encode-png.ts";
import { memoryTerminal } from "../../../support/cli/memory-terminal.ts";
import { environment, runLine } from "../../../support/cli/run-line.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const png = Buffer.from(encodePng({ width: 3, height: 2, data: new Uint8Array(18).fill(200) }));
const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "das-cli-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const picture = () => new Response(Uint8Array.from(png), { headers: { "content-type": "image/png" } });

describe("das machines screenshot", () => {
  it("writes the PNG into a pipe", async () => {
    const { code, bytes, sent } = await runLine(["machines", "screenshot", id, "--width", "800"], {
      answer: picture,
    });
    expect(code).toBe(0);
    expect(Buffer.concat(bytes).equals(png)).toBe(true);
    expect(sent[0]?.url).toMatch(/display\/screenshot\?width=800$/);
  });

  it("writes a file named by machine and time in a terminal without pictures, and replaces none", async () => {
    const folder = await newFolder();
    const options = { answer: picture, folder, terminal: { environment, columns: 80, isInteractive: true } };
    const first = await runLine(["machines", "screenshot", id], options);
    const second = await runLine(["machines", "screenshot", id], options);
    const name = `${id}-2026-11-27T12-00-00Z`;
    expect(first.shown).toBe(`${join(folder, `${name}.png`)} (3 x 2)\n`);
    expect(second.shown).toBe(`${join(folder, `${name} (2).png`)} (3 x 2)\n`);
    expect((await readdir(folder)).sort()).toEqual([`${name} (2).png`, `${name}.png`]);
  });

  it("writes the file that is named, and says so to programs in JSON", async () => {
    const folder = await newFolder();
    const { shown } = await runLine(["machines", "screenshot", id, "-o", "desk.png", "--json"], {
      answer: picture,
      folder,
    });
    expect(JSON.parse(shown)).toEqual({
      path: join(folder, "desk.png"),
      width: 3,
      height: 2,
      size_bytes: png.byteLength,
    });
    expect(Buffer.from(await readFile(join(folder, "desk.png"))).equals(png)).toBe(true);
  });

  it("shows the picture in a terminal that has the protocol of kitty", async () => {
    const question = "\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\\u001b[c";
    const responses = { [question]: "\u001b_Gi=31;OK\u001b\\\u001b[?62;c" };
    const { shown } = await runLine(["machines", "screenshot", id], {
      answer: picture,
      terminal: { environment, columns: 80, isInteractive: true, responses },
    });
    expect(shown).toBe(`\u001b_Ga=T,f=100,c=80,q=2,m=0;${png.toString("base64")}\u001b\\\n`);
  });
});

describe("das machines type", () => {
  it("reads standard input, so that the text is in no argument, but for its last line break", async () => {
    const { code, sent } = await runLine(["machines", "type", id], {
      terminal: { environment, input: "one\ntwo\n" },
    });
    expect([code, sent.map(({ body }) => body)]).toEqual([0, ['{"text":"one\\ntwo"}']]);
  });

  it("types a long text in parts that end between characters", async () => {
    const text = `${"a".repeat(4_999)}🙂b`;
    const { sent } = await runLine(["machines", "type", id, "-"], { terminal: { environment, input: text } });
    const parts = sent.map(({ body }) => JSON.parse(body ?? "").text as string);
    expect(parts).toEqual([`${"a".repeat(4_999)}🙂`, "b"]);
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(2);
  });

  it("is 2 where there is no text", async () => {
    expect((await runLine(["machines", "type", id])).code).toBe(2);
  });
});

describe("das machines click, key, scroll, drag", () => {
  it.each([
    [["click", id], {}],
    [
      ["click", id, "640", "400", "--button", "right", "--clicks", "2"],
      { x: 640, y: 400, button: "right", clicks: 2 },
    ],
    [["key", id, "ctrl+a", "Delete"], { text: "ctrl+a Delete" }],
    [["key", id, "shift", "--up"], { text: "shift", down: false }],
    [["scroll", id, "down"], { direction: "down", amount: 3 }],
    [["scroll", id, "up", "5", "1", "2"], { direction: "up", amount: 5, x: 1, y: 2 }],
    [
      ["drag", id, "1", "2", "3", "4", "--duration", "0.5"],
      { start_x: 1, start_y: 2, to_x: 3, to_y: 4, duration: 0.5 },
    ],
  ])("%j sends %j", async (words, body) => {
    const { code, sent } = await runLine(["machines", ...words]);
    expect([code, JSON.parse(sent[0]?.body ?? "")]).toEqual([0, body]);
  });

  it.each([[["click", id, "640"]], [["click", id, "left", "top"]], [["scroll", id, "down", "much"]]])(
    "%j is 2, and sends nothing",
    async (words) => {
      const { code, sent } = await runLine(["machines", ...words]);
      expect([code, sent]).toEqual([2, []]);
    },
  );
});

describe("das machines exec", () => {
  const result = { stdout: "out\n", stderr: "err\n", exit_code: 7, timeout_reached: false };

  it("hands on what the command writes, and its code", async () => {
    const { code, shown, errors, sent } = await runLine(["machines", "exec", id], {
      answer: () => Response.json(result),
      terminal: { environment, input: "make\n" },
    });
    expect([code, shown, errors]).toEqual([7, "out\n", "err\n"]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({ command: "make" });
  });

  it("is 124 for one that took too long, and shows the whole result as JSON", async () => {
    const late = { ...result, exit_code: null, timeout_reached: true };
    const { code, shown } = await runLine(["machines", "exec", id, "sleep 60", "--timeout", "2", "--json"], {
      answer: () => Response.json(late),
    });
    expect([code, JSON.parse(shown)]).toEqual([124, late]);
  });
});

describe("das machines watch", () => {
  function watched(machines: Map<string, object>) {
    let tell = (_hint?: object) => {};
    const ending = new AbortController();
    const terminal = memoryTerminal();
    const call = async (operation: string, input: { path?: { machine_id: string } }) => {
      if (operation === "listMachines") return { items: [...machines.values()] };
      const found = machines.get(input.path?.machine_id ?? "");
      if (found !== undefined) return found;
      throw new ApiError({
        status: 404,
        message: "gone",
        errorCode: "not_found",
        details: null,
        requestId: undefined,
        retryAfterSeconds: undefined,
      });
    };
    const deps = {
      terminal,
      form: "table",
      signal: ending.signal,
      client: { call },
      live: {
        watch: (_topics: readonly string[], listener: (hint?: object) => void) => {
          tell = listener;
          return () => {};
        },
      },
    } as unknown as WatchMachinesDeps;
    const lines = () =>
      terminal
        .shown()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.replace(/^\S+ {2}/, ""));
    return { deps, lines, tell: (hint?: object) => tell(hint), end: () => ending.abort() };
  }

  it("shows each machine at first, then what has changed, and nothing twice", async () => {
    const machines = new Map([
      ["m-1", { id: "m-1", name: "one", status: "connected", is_available: true, held: null }],
      ["m-2", { id: "m-2", name: "two", status: "disconnected", is_available: true, held: null }],
    ]);
    const { deps, lines, tell, end } = watched(machines);
    const watching = watchMachines(deps);
    await vi.waitFor(() => expect(lines()).toEqual(["m-1  one  connected", "m-2  two  disconnected"]));
    machines.set("m-2", { id: "m-2", name: "two", status: "connected", is_available: false, held: null });
    tell({ type: "machine.changed", machine_id: "m-1" });
    tell({ type: "machine.changed", machine_id: "m-2" });
    await vi.waitFor(() => expect(lines()).toContain("m-2  two  connected  not available"));
    machines.delete("m-1");
    tell();
    await vi.waitFor(() => expect(lines()).toContain("m-1  deleted"));
    expect(lines()).toHaveLength(4);
    end();
    await watching;
  });

  it("ends by itself once the one machine is deleted, and fails for one that was never there", async () => {
    const machines = new Map([
      ["m-1", { id: "m-1", name: "one", status: "connected", is_available: true, held: null }],
    ]);
    const { deps, lines, tell } = watched(machines);
    const watching = watchMachines(deps, "m-1");
    await vi.waitFor(() => expect(lines()).toHaveLength(1));
    machines.clear();
    tell({ type: "machine.changed", machine_id: "m-1" });
    await watching;
    expect(lines().at(-1)).toBe("m-1  deleted");
    await expect(watchMachines(deps, "m-9")).rejects.toThrow("gone");
  });
});
