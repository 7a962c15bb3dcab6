import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, it, onTestFinished } from "vitest";
import { clearFaults, injectFault } from "../../support/stack/faults.ts";
import {
  ask,
  control,
  createOrganization,
  keyOf,
  type Organization,
} from "../../support/stack/stack-client.ts";

const program = fileURLToPath(new URL("../../../infra/smoke/main.ts", import.meta.url));

/** Each fault that is waited for takes this long; a step that passes takes a fraction of it. */
const timeoutSeconds = "5";

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Given {
  readonly args?: readonly string[];
  readonly token?: string;
  readonly nodeOptions?: string;
  /** The program gets SIGINT once its output has this line. */
  readonly interruptAt?: string;
}

async function smoke(organization: Organization, given: Given = {}): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), "smoke-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [keyFile, tokenFile] = [join(folder, "key"), join(folder, "token")];
  await writeFile(keyFile, keyOf(organization, "full"));
  await writeFile(tokenFile, given.token ?? "");
  const token = given.token === undefined ? [] : ["--dashboard-token-file", tokenFile];
  const args = ["--url", inject("stack").baseUrl, "--admin-key-file", keyFile, ...token];
  const child = spawn(process.execPath, [program, ...args, ...(given.args ?? [])], {
    env: { ...process.env, NODE_OPTIONS: given.nodeOptions ?? "" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      const isHere = () => given.interruptAt !== undefined && output.includes(given.interruptAt);
      const wasHere = isHere();
      output += chunk.toString();
      if (!wasHere && isHere()) child.kill("SIGINT");
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** Names of what is there; an organization of the test has nothing else. */
async function leftBy(organization: Organization): Promise<readonly unknown[]> {
  const key = keyOf(organization, "full");
  const lists = ["machines", "workflows", "runs", "webhook-endpoints", "trajectories"];
  const found = await Promise.all(
    lists.map(async (list) => (await ask<{ items: readonly unknown[] }>(`/v1/${list}`, { key })).body.items),
  );
  const { body } = await ask<{ items: readonly { name: string }[] }>("/v1/api-keys", { key });
  return [...found.flat(), ...body.items.filter(({ name }) => name.startsWith("smoke-"))];
}

it("passes in an organization, in which nothing is left", async () => {
  const organization = await createOrganization();
  const { code, output } = await smoke(organization, { token: organization.jwt });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/passed in \d+\.\d s/) });
  for (const step of ["dashboard token", "scroll", "download", "webhook", "run", "removal"]) {
    expect(output).toMatch(new RegExp(`^ {2}${step} +ok `, "m"));
  }
  expect(output).toMatch(/page +not tried .* no --origin/);
  expect(await leftBy(organization)).toEqual([]);
});

it("removes what it made, and says how it ended, after ctrl-C", async () => {
  const organization = await createOrganization();
  const { code, output } = await smoke(organization, { interruptAt: "scroll " });
  expect({ code, output }).toMatchObject({ code: 130, output: expect.stringContaining("ended by ctrl-C") });
  expect(output).toMatch(/removal +ok/);
  expect(await leftBy(organization)).toEqual([]);
});

const always = { count: null } as const;
const refused = { ...always, error: "AccessDeniedException", status: 403 } as const;

/** Lambda's readers of the table's stream. */
async function stopReaders(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const functionName = `${name} event source`;
    await injectFault({ ...refused, service: "dynamodb-streams", operation: "GetRecords", functionName });
  }
}

async function replaceVariables(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const put = (values: object) => control(`/functions/${name}/variables`, values, "PUT");
  onTestFinished(async () => void (await put({})));
  await put(variables);
}

async function findSecret(part: string): Promise<string> {
  const { items } = await control<{ items: readonly { name: string }[] }>("/aws/secrets");
  const found = items.find(({ name }) => name.includes(part));
  if (found === undefined) throw new Error(`the stack has no secret ${part}`);
  return found.name;
}

interface Fault {
  readonly what: string;
  readonly step: string;
  readonly part: string;
  /** Returns how the program is to be run, if it is not as usual. */
  readonly plant: (organization: Organization) => Promise<unknown>;
}

const tenMinutesLate = "const now = Date.now; Date.now = () => now() - 600_000;";

const faults: readonly Fault[] = [
  {
    what: "no grant to post",
    step: "scroll",
    part: "computer: its grant to post",
    plant: () => injectFault({ ...refused, operation: "PostToConnection", functionName: "computer" }),
  },
  {
    what: "a wrong issuer",
    step: "dashboard token",
    part: "the token's issuer: jwtIssuer",
    plant: ({ organization_id }) => control("/tokens", { organization_id, flaw: "wrong_issuer" }),
  },
  {
    what: "no stream",
    step: "webhook",
    part: "stream, projector",
    plant: () => stopReaders("projector", "matcher"),
  },
  {
    what: "the executor's alias away",
    step: "run",
    part: "executor",
    plant: () =>
      injectFault({
        ...always,
        service: "lambda",
        path: "executor",
        error: "ResourceNotFoundException",
        status: 404,
      }),
  },
  {
    what: "a bucket without CORS",
    step: "upload",
    part: "bucket CORS",
    plant: async () => ({ args: ["--origin", "https://dashboard.example.com"] }),
  },
  {
    what: "the webhooks' sender away",
    step: "webhook",
    part: "webhook-sender",
    plant: () =>
      injectFault({
        ...always,
        service: "lambda",
        path: "webhooksender",
        error: "ResourceNotFoundException",
        status: 404,
      }),
  },
  {
    what: "the tunnel's key replaced",
    step: "desktop",
    part: "tunnel: its $connect, and the tunnel's key",
    plant: async () => await replaceVariables("tunnel", { TUNNEL_KEY_SECRET: await findSecret("DataKey") }),
  },
  {
    what: "a clock ten minutes off",
    step: "health",
    part: "this machine's clock",
    plant: async () => ({
      nodeOptions: `--import=data:text/javascript,${encodeURIComponent(tenMinutesLate)}`,
    }),
  },
  {
    what: "the table's index away",
    step: "list",
    part: "table's indexes",
    plant: () =>
      injectFault({
        ...always,
        operation: "Query",
        functionName: "machines",
        error: "ValidationException",
        message: "The table does not have the specified index: gsi1",
      }),
  },
  {
    what: "the matcher stopped",
    step: "run",
    part: "matcher",
    plant: () => stopReaders("matcher"),
  },
];

it.each(faults)("names the part for $what", async ({ step, part, plant }) => {
  const organization = await createOrganization();
  onTestFinished(clearFaults);
  const { args = [], ...others } = ((await plant(organization)) as Given | undefined) ?? {};
  const given = { ...others, args: [...args, "--timeout", timeoutSeconds] };
  const { code, output } = await smoke(organization, given);
  const [, last = ""] = output.split("look at: ");
  expect({ code, output, last }).toMatchObject({ code: 1, last: expect.stringContaining(part) });
  expect(output).toMatch(new RegExp(`^ {2}${step} +failed `, "m"));
});
