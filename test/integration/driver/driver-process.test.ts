import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, link, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBucket } from "../../support/fake-service/fake-bucket.ts";
import { FakeService } from "../../support/fake-service/fake-service.ts";

const programOf = (folder: string) =>
  fileURLToPath(new URL(`../../../infra/${folder}/main.ts`, import.meta.url));
const deskProgram = programOf("demo-desk");
const sampleKey = "das_key_under_test";

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  stderr(): string;
  readonly exited: Promise<number | null>;
}

describe("the driver's process", () => {
  let service: FakeService;
  let url: string;
  let folder: string;
  let bucket: FakeBucket;
  const children: ChildProcess[] = [];

  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = { DRIVER_KEY: sampleKey },
    input: "ignore" | "pipe" = "ignore",
    program = deskProgram,
  ): Running {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
      stdio: [input, "ignore", "pipe"],
    });
    children.push(child);
    const chunks: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return {
      child,
      pid: child.pid ?? 0,
      stderr: () => Buffer.concat(chunks).toString(),
      exited: once(child, "close").then(([code]) => code as number | null),
    };
  }

  async function startConnected(...more: string[]): Promise<Running> {
    const before = service.connections.length;
    const running = start(["--url", url, ...more]);
    await connected(running, before);
    return running;
  }

  async function connected(running: Running, before: number): Promise<void> {
    while (service.connections.length === before || service.latest.of("ping").length === 0) {
      if (running.child.exitCode !== null) throw new Error(running.stderr());
      await sleep(20);
    }
  }

  beforeEach(async () => {
    service = new FakeService();
    bucket = await FakeBucket.open();
    url = await service.listen();
    folder = await mkdtemp(join(tmpdir(), "driver-process-"));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await service.close();
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends on %s: closes with 1000 and exits with 0", async (signal) => {
    const running = await startConnected();
    running.child.kill(signal);
    expect(await running.exited).toBe(0);
    expect(await service.latest.untilClosed()).toBe(1000);
  });

  it("answers a shutdown with its true pid, and is gone a second later", async () => {
    const running = await startConnected();
    const body = { source: "cloud-api", reason: "user_disabled_machine" };
    const answer = await service.latest.ask({ path: "/internal/shutdown", body });
    expect(answer.json()).toEqual({ status: "shutting_down", pid: running.pid, ...body });
    const ended = await Promise.race([running.exited, sleep(1_000, "still there")]);
    expect(ended).toBe(0);
  });

  it.each([
    ["revoked", 3],
    ["deleted", 3],
    ["superseded", 4],
  ] as const)("exits after the goodbye %s with %i and says why", async (code, exitCode) => {
    const running = await startConnected();
    service.latest.goodbye(code);
    expect(await running.exited).toBe(exitCode);
    expect(running.stderr()).toContain("driver ended: ");
  });

  it("keeps its fingerprint from one start to the next", async () => {
    const first = await startConnected();
    first.child.kill("SIGTERM");
    await first.exited;
    await startConnected();
    const [one, two] = service.connections.map(({ headers }) => headers["x-machine-fingerprint"]);
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(two).toBe(one);
    const file = join(folder, ".local", "state", "desktop-automation-driver", "fingerprint");
    expect((await readFile(file, "utf8")).trim()).toBe(one);
  });

  it.each([
    ["DRIVER_KEY", [], { DRIVER_KEY: sampleKey }, "Bearer"],
    ["--key", ["--key", sampleKey], {}, "Bearer"],
    ["--key=", [`--key=${sampleKey}`], { DRIVER_KEY: `${sampleKey}2` }, "Bearer"],
    ["DRIVER_TICKET", [], { DRIVER_TICKET: sampleKey }, "Ticket"],
    ["--ticket", ["--ticket", sampleKey], {}, "Ticket"],
  ] as const)(
    "shows what %s held to nobody: what it starts finds it in no process",
    async (_, args, env, scheme) => {
      const running = start(["--url", url, "--allow-shell", ...args], env);
      await connected(running, 0);
      expect(service.latest.headers.authorization).toBe(`${scheme} ${sampleKey}`);
      const command = `env; p=$$; while [ "$p" -gt 1 ]; do echo "process $p"
      cat /proc/$p/environ /proc/$p/cmdline; ls -l /proc/$p/fd/0; timeout 1 cat /proc/$p/fd/0
      p=$(sed -n 's/^PPid:[^0-9]*//p' /proc/$p/status); done 2>&1 | tr '\\0' '\\n'`;
      const upload = bucket.at("found");
      const answer = await service.latest.ask({ path: "/computer/shell/exec", body: { command }, upload });
      const found = answer.uploaded ? (bucket.get("found")?.body ?? "").toString() : answer.body.toString();
      expect(found).toContain(`process ${running.pid}`);
      expect(found).toContain("HOME=");
      expect(found).not.toContain(sampleKey);
      expect(running.stderr()).toContain("request answered");
      expect(running.stderr()).not.toContain(sampleKey);
    },
  );

  it("reads its key from standard input", async () => {
    const running = start(["--url", url, "--key-file", "-"], {}, "pipe");
    running.child.stdin?.end(`${sampleKey}\n`);
    await connected(running, 0);
    expect(service.latest.headers.authorization).toBe(`Bearer ${sampleKey}`);
  });

  it("says in one line that whoever may use the shell owns the key, unless nobody may", async () => {
    const withShell = await startConnected("--allow-shell");
    expect(withShell.stderr().match(/whoever may use the shell owns the key/g)).toHaveLength(1);
    const without = await startConnected("--fingerprint-file", join(folder, "second"));
    expect(without.stderr()).not.toContain("owns the key");
  });

  it.runIf(process.getuid?.() === 0)(
    "runs commands as another user, who reads nothing of the driver's",
    async () => {
      const keyFile = join(folder, "key");
      await writeFile(keyFile, sampleKey, { mode: 0o600 });
      const args = ["--key-file", keyFile, "--allow-shell", "--shell-user", "nobody", "--root", folder];
      const running = await startConnected(...args);
      expect(running.stderr()).not.toContain("owns the key");
      const shell = async (command: string, timeout = 5) =>
        (await service.latest.ask({ path: "/computer/shell/exec", body: { command, timeout } })).json();
      expect(await shell("id -un; echo $USER")).toMatchObject({ stdout: "nobody\nnobody\n" });
      const files = [keyFile, `/proc/${running.pid}/environ`, `/proc/${running.pid}/mem`, "key"];
      for (const file of files) {
        expect(await shell(`cat ${file}`)).toMatchObject({ stdout: "", exit_code: 1 });
      }
      expect(await shell("kill -9 $PPID; sleep 62", 0.3)).toMatchObject({ timeout_reached: true });
      expect(running.child.exitCode).toBeNull();
    },
  );

  it.each([
    [["--shell-user", "no-such-user"], "there is no such user"],
    [["--shell-user", "x; id"], "no name of a user"],
    [["--shell-user", userInfo().username], "the driver itself runs as that user"],
  ])("does not start with %j", async (args, sentence) => {
    const running = start(["--url", url, "--allow-shell", ...args]);
    expect(await running.exited).toBe(2);
    expect(running.stderr()).toContain(sentence);
  });

  it("reads its key from a file", async () => {
    const file = join(folder, "key");
    await writeFile(file, `${sampleKey}\n`, { mode: 0o600 });
    await startConnected("--key-file", file);
    expect(service.latest.headers.authorization).toBe(`Bearer ${sampleKey}`);
  });

  it("keeps callers' files in a folder of its own, which nobody else may open", async () => {
    await writeFile(join(folder, ".profile"), "");
    await startConnected();
    const write = (path: string) =>
      service.latest.ask({ path: "/computer/fs/write", body: { path, content: "YQ==", mode: "write" } });
    expect((await write("../.profile")).json()).toMatchObject({ code: "outside_root" });
    const root = join(folder, "desktop-automation");
    expect((await write("a")).json()).toMatchObject({ path: join(root, "a") });
    expect((await stat(root)).mode & 0o777).toBe(0o700);
  });

  it("hands out neither its key nor its state, though its root has both in it", async () => {
    const keyFile = join(folder, "key");
    await writeFile(keyFile, sampleKey, { mode: 0o600 });
    await link(keyFile, join(folder, "hard-link"));
    await symlink(keyFile, join(folder, "link"));
    await writeFile(join(folder, "free"), "");
    await startConnected("--root", folder, "--key-file", keyFile);
    const state = ".local/state/desktop-automation-driver";
    const own = ["key", "hard-link", "link", state, `${state}/fingerprint`, `${state}/not-made-yet`];
    for (const path of own) {
      const query = `path=${path}`;
      const asked = await Promise.all([
        service.latest.ask({ method: "GET", path: "/computer/fs/read", query }),
        service.latest.ask({ method: "GET", path: "/computer/fs/list", query }),
        service.latest.ask({ path: "/computer/fs/write", body: { path, content: "YQ==", mode: "append" } }),
      ]);
      const codes = asked.map((answer) => (answer.json() as { code?: string }).code);
      const notThere = path.endsWith("not-made-yet") ? "file_not_found" : "driver_file";
      expect([path, codes]).toEqual([path, [notThere, notThere, "driver_file"]]);
    }
    const listed = await service.latest.ask({ method: "GET", path: "/computer/fs/list" });
    const { items } = listed.json() as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toEqual([".local", "free"]);
    expect(await readFile(keyFile, "utf8")).toBe(sampleKey);
  });

  it("refuses shell commands on a simulated display, unless --allow-shell is given", async () => {
    await startConnected();
    const answer = await service.latest.ask({ path: "/computer/shell/exec", body: { command: "id" } });
    expect([answer.status, answer.json()]).toEqual([
      403,
      { code: "shell_disabled", error: expect.stringContaining("without --allow-shell") },
    ]);
  });

  it("needs no more memory for 100 MB, brought to the desktop and back, than for 50", async () => {
    const running = await startConnected();
    const peakKb = async () =>
      Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${running.pid}/status`, "utf8"))?.[1]);
    const move = async (bytes: number) => {
      bucket.put("file", randomBytes(bytes));
      const headers = { "content-type": "application/octet-stream" };
      const download = bucket.at("file");
      const written = await service.latest.ask({
        path: "/computer/fs/write",
        query: "path=f",
        headers,
        download,
      });
      expect(written.json()).toMatchObject({ size: bytes });
      const upload = bucket.at("copy");
      const query = "path=f&as=url";
      const read = await service.latest.ask({ method: "GET", path: "/computer/fs/read", query, upload });
      expect(read.uploaded).toBe(true);
    };
    await move(50 * 1024 * 1024);
    // By now the garbage between two collections has reached its largest size.
    const before = await peakKb();
    await move(100 * 1024 * 1024);
    expect((await peakKb()) - before).toBeLessThan(30 * 1024);
    expect(bucket.get("copy")?.body.equals(bucket.get("file")?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    [[], "--url is missing"],
    [["--url", "ws://127.0.0.1:1/s", "--root", "/does/not/exist"], "is no folder"],
    [["--url", "ws://127.0.0.1:1/s", "--key-file", "/does/not/exist"], "cannot be read"],
    [["--url", "ws://127.0.0.1:1/s", "--programs", "f"], "--forward and --programs do not go"],
    [
      ["--url", "ws://127.0.0.1:1/s", "--forward", "http://127.0.0.1:1"],
      "--forward and --programs do not go",
    ],
    [["--url", "ws://127.0.0.1:1/s"], "there is no X display", "driver"],
    [["--url", "ws://127.0.0.1:1/s", "--display", ":9999"], "the X display :9999 does not answer", "driver"],
  ])("exits with 2 and one sentence for %j", async (args, sentence, folder = "demo-desk") => {
    const running = start(args, undefined, "ignore", programOf(folder));
    expect(await running.exited).toBe(2);
    expect(running.stderr()).toContain(sentence);
    expect(running.stderr().trim().split("\n")).toHaveLength(1);
  });

  it("keeps its machine's own secret beside its fingerprint, for its user alone, and shows it from then on", async () => {
    service.machineSecret = "A".repeat(43);
    const first = await startConnected("--allow-shell", "--root", folder);
    expect(service.latest.headers).not.toHaveProperty("x-machine-secret");
    const [proven] = service.latest.of("ping");
    expect(proven?.secret_proof).toBe("gEpqO1PiRAxjAtHgghhLyZrFl3lC_FIHfh3orpzGeRc");
    const file = join(folder, ".local", "state", "desktop-automation-driver", "fingerprint.secret");
    expect(await readFile(file, "utf8")).toBe(`${service.machineSecret}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const read = await service.latest.ask({
      method: "GET",
      path: "/computer/fs/read",
      query: `path=${file}`,
    });
    expect(read.json()).toMatchObject({ code: "driver_file" });
    first.child.kill("SIGTERM");
    await first.exited;
    expect(first.stderr()).not.toContain(service.machineSecret);

    const second = await startConnected();
    expect(service.latest.headers["x-machine-secret"]).toBe(service.machineSecret);
    expect(service.latest.of("ping")[0]).not.toHaveProperty("secret_proof");
    second.child.kill("SIGTERM");
    await second.exited;
    await chmod(file, 0o640);
    const third = start(["--url", url]);
    expect(await third.exited).toBe(2);
    expect(third.stderr()).toContain("is open to other users");
  });

  it.each([
    ["--key-file", 0o640],
    ["--key-file", 0o604],
    ["--fingerprint-file", 0o644],
    ["--fingerprint-file", 0o620],
  ])("does not start with a %s that other users may open (%o)", async (option, mode) => {
    const file = join(folder, "file");
    await writeFile(file, "3f0d7c60-5f0e-4c12-9d6c-0a4f3f1b8f11");
    await chmod(file, mode);
    const env: Record<string, string> = option === "--key-file" ? {} : { DRIVER_KEY: sampleKey };
    const running = start(["--url", url, option, file], env);
    expect(await running.exited).toBe(2);
    expect(running.stderr()).toMatch(/^driver: the .* file .* is open to other users: .*\n$/);
    expect(service.handshakes).toBe(0);
  });

  it("refuses another name than that of the machine that its fingerprint became, and names --fingerprint-file", async () => {
    const first = await startConnected("--name", "second");
    const own = join(folder, ".local", "state", "desktop-automation-driver", "fingerprint");
    await vi.waitFor(async () => expect(await readFile(`${own}.name`, "utf8")).toBe("second\n"));
    const other = start(["--url", url, "--name", "third"]);
    expect(await other.exited).toBe(2);
    expect(other.stderr()).toMatch(
      /^driver: the fingerprint file .* is that of the machine "second": .* --fingerprint-file; .*\n$/,
    );
    expect(service.handshakes).toBe(1);
    first.child.kill("SIGTERM");
    await first.exited;
    await startConnected("--name", "second");
    await startConnected("--name", "third", "--fingerprint-file", join(folder, "third"));
    const fingerprints = service.connections.map(({ headers }) => headers["x-machine-fingerprint"]);
    expect([...new Set(fingerprints)]).toEqual([fingerprints[0], fingerprints[2]]);
  });

  it("refuses a fingerprint file that holds no UUID", async () => {
    const file = join(folder, "fp");
    await writeFile(file, "not one", { mode: 0o600 });
    const running = start(["--url", url, "--fingerprint-file", file]);
    expect(await running.exited).toBe(1);
    expect(running.stderr()).toContain("holds no UUID");
    expect(service.handshakes).toBe(0);
  });
});
