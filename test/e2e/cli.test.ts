import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ending, installedNodes, type PackedCli, packCli } from "../support/cli/packed-cli.ts";
import { createOrganization, keyOf } from "../support/stack/stack-client.ts";

let packed: PackedCli;
let key = "";
const { baseUrl } = inject("stack");

beforeAll(async () => {
  packed = await packCli();
  key = keyOf(await createOrganization(), "full");
});
afterAll(async () => await packed?.remove());

it("the package is one file, with the licences of all that is in it, and how to use it", async () => {
  expect(packed.files).toEqual(["LICENSE", "README.md", "dist/LICENSES.txt", "dist/das.cjs", "package.json"]);
});

describe.each(installedNodes())("das by %s", (node) => {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(packed.folder, "home-"));
  });
  const das = async (
    line: readonly string[],
    more: { input?: string; variables?: Record<string, string> } = {},
  ) =>
    await ending(node, [packed.program, ...line], {
      folder: home,
      environment: { PATH: process.env.PATH, XDG_CONFIG_HOME: home, ...more.variables },
      ...(more.input === undefined ? {} : { input: more.input }),
    });

  it("logs in, makes, lists, changes and deletes a machine, and says nothing of the key", async () => {
    const login = await das(["login", "--url", baseUrl], { input: `${key}\n` });
    expect([login.code, login.out]).toEqual([0, ""]);
    const file = join(home, "das", "profiles.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(key);

    const made = await das([
      "machines",
      "create",
      "--fingerprint",
      randomUUID(),
      "--name",
      "日本 desk",
      "--json",
    ]);
    const { id } = JSON.parse(made.out) as { readonly id: string };
    const list = await das(["machines", "list", "--search", "日本"]);
    expect(list.out).toMatch(new RegExp(`^ID +NAME .*\n${id} +日本 desk +disconnected`));
    const changed = await das(["machines", "update", id, "--name", "desk 2", "--no-is-available", "--jsonl"]);
    expect(JSON.parse(changed.out)).toMatchObject({ name: "desk 2", is_available: false });
    const read = await das(["api", "GET", `/v1/machines/${id}`, "--json"]);
    expect(JSON.parse(read.out)).toMatchObject({ id, name: "desk 2" });
    const deleted = await das(["machines", "delete", id]);
    expect(deleted).toEqual({ code: 0, out: "", err: "" });
    const gone = await das(["machines", "get", id]);
    expect([gone.code, gone.err]).toEqual([
      3,
      expect.stringMatching(/^das: .* \(not_found, request \S+\)\n$/),
    ]);
    const whoami = await das(["whoami", "--profile", "default"]);
    expect(whoami.out).toMatch(/organization_id +org_/);
    const all = [login, made, list, changed, read, gone, whoami];
    expect(all.flatMap(({ out, err }) => [out, err]).join("")).not.toContain(key);
  });

  it("follows a run to its end, and shows events until ctrl-C, with no endpoint left behind", async () => {
    const variables = { DAS_URL: baseUrl, DAS_API_KEY: key };
    const json = async (line: readonly string[]) =>
      JSON.parse((await das([...line, "--json"], { variables })).out) as Readonly<Record<string, unknown>>;
    const workflow = await json(["workflows", "create", "--main-prompt", "Wait.", "--executor", "worker"]);
    const run = await json(["runs", "create", String(workflow.id), "--input", "customer=Miller"]);
    const watching = das(["runs", "watch", String(run.id), "--jsonl"], { variables });
    const environment = { PATH: process.env.PATH, ...variables };
    const line = [packed.program, "webhooks", "listen", "--events", "machine.created", "--jsonl"];
    const listener = spawn(node, line, { cwd: home, env: environment });
    const ended = once(listener, "exit");
    const endpoints = async () => (await json(["webhooks", "list"])).items;
    await expect.poll(endpoints, { interval: 500 }).toHaveLength(1);
    const machine = await json(["machines", "create", "--fingerprint", randomUUID()]);
    const [shown] = (await once(listener.stdout, "data")) as [Buffer];
    expect(JSON.parse(shown.toString())).toMatchObject({
      event: "machine.created",
      body: { machine: { machine_id: machine.id } },
    });
    listener.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    expect(await endpoints()).toEqual([]);

    await json(["runs", "cancel", String(run.id)]);
    const { code, out } = await watching;
    const last = JSON.parse(out.trim().split("\n").at(-1) ?? "");
    expect([code, last]).toMatchObject([1, { event: "end", run: { id: run.id, status: "cancelled" } }]);
  });

  it("ends with the code that says what was wrong", async () => {
    expect((await das(["machines", "lst"])).code).toBe(2);
    const refused = await das(["login", "--url", baseUrl, "--profile", "wrong"], {
      input: `${key.slice(0, -1)}x`,
    });
    expect(refused.code).toBe(3);
    expect(refused.err).not.toContain(key.slice(0, -1));
    const variables = { DAS_URL: "http://127.0.0.1:9", DAS_API_KEY: key };
    const unreachable = await das(["whoami"], { variables });
    expect([unreachable.code, unreachable.err]).toEqual([4, expect.stringContaining("did not respond")]);
  });

  it("is silent when its reader has seen enough, and ends with 130 after ctrl-C", async () => {
    const environment = {
      PATH: process.env.PATH,
      DAS_URL: baseUrl,
      DAS_API_KEY: key,
      NODE: node,
      DAS: packed.program,
    };
    const line = '"$NODE" "$DAS" docs open-api-document | head -c 10';
    const piped = await ending("bash", ["--norc", "-o", "pipefail", "-c", line], {
      folder: home,
      environment,
    });
    expect([piped.code, piped.out.length, piped.err]).toEqual([0, 10, ""]);

    // It is cancelled while it waits for this service, which does not respond.
    const waiting = createServer(() => child.kill("SIGINT")).listen(0, "127.0.0.1");
    await once(waiting, "listening");
    const { port } = waiting.address() as AddressInfo;
    const child = spawn(node, [packed.program, "whoami"], {
      cwd: home,
      env: { ...environment, DAS_URL: `http://127.0.0.1:${port}` },
    });
    expect(await once(child, "exit")).toEqual([130, null]);
    waiting.closeAllConnections();
    waiting.close();
  });
});

it("bash completes by what das prints", async () => {
  const environment = {
    PATH: process.env.PATH,
    DAS_URL: baseUrl,
    DAS_API_KEY: key,
    NODE: process.execPath,
    DAS: packed.program,
  };
  const script = `das() { "$NODE" "$DAS" "$@"; }
    source <(das completion bash)
    COMP_WORDS=(das machines li); COMP_CWORD=2; _das; echo "\${COMPREPLY[@]}"`;
  const { out, err } = await ending("bash", ["--norc", "-c", script], { folder: packed.folder, environment });
  expect([out, err]).toEqual(["list\n", ""]);
});
