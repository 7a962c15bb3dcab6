import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseSettings, settingNames } from "../../infra/settings.ts";
import { makeServiceApp, removeAssembly, resourcesOf, templatesOf } from "./synthesize.ts";

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/one";
const made = makeServiceApp({
  httpHostName: "api.example.com",
  httpCertificateArn: certificateArn,
  edge: "send",
  edgeCertificateArn: certificateArn,
  costAnomalyMonitorArn: "arn:aws:ce::111122223333:anomalymonitor/m",
});
const stackIds = made.app.node.children.map(({ node }) => node.id);
const functionNames = [...made.service.functions.keys()];
removeAssembly(made.app);
const templates = templatesOf(makeServiceApp());

const deployMd = readFileSync("infra/DEPLOY.md", "utf8");
const documents = [
  ["infra/DEPLOY.md", deployMd],
  ["infra/RUNBOOK.md", readFileSync("infra/RUNBOOK.md", "utf8")],
  ["infra/REHEARSAL.md", readFileSync("infra/REHEARSAL.md", "utf8")],
  ["infra/REGION-LOSS.md", readFileSync("infra/REGION-LOSS.md", "utf8")],
] as const;

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const shared = ["run-program.ts", "table-target.ts"].map((name) =>
  readFileSync(`infra/operator/${name}`, "utf8"),
);

/** The text of an operator's program, which names its options; undefined for a script that is none. */
function programOf(script: string): string | undefined {
  const [, folder] = / (infra\/[a-z-]+)\/main\.ts$/.exec(scripts[script] ?? "") ?? [];
  if (folder === undefined) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return [...files.map((name) => readFileSync(`${folder}/${name}`, "utf8")), ...shared].join("\n");
}

const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

describe.each(documents)("the commands of %s", (_, text) => {
  const cdkCommands = matchesOf(text, /npx cdk ([^`\n#&]+)/g).map((command) =>
    command.replaceAll('"', "").replaceAll("$deployment", "main").trim().split(/\s+/),
  );

  it("deploy, compare and remove stacks that there are", () => {
    expect(cdkCommands.length).toBeGreaterThan(0);
    for (const [verb = "", ...words] of cdkCommands) {
      expect(["bootstrap", "deploy", "destroy", "diff"]).toContain(verb);
      const given = words.filter((word, at) => !word.startsWith("-") && words[at - 1] !== "-c");
      if (verb === "bootstrap") continue;
      expect(stackIds, words.join(" ")).toEqual(expect.arrayContaining(given));
      const flags = words.filter((word) => word.startsWith("-"));
      expect(["--all", "--exclusively", "--force", "-c"]).toEqual(expect.arrayContaining(flags));
      // Without a stack the command asks, since there are several.
      if (verb !== "diff") expect(given.length > 0 || flags.includes("--all"), words.join(" ")).toBe(true);
    }
  });

  it("run programs that there are, with options that they have", () => {
    const lines = text.replaceAll("\\\n", " ").split("\n");
    const run = lines.flatMap((line) => [
      ...line.matchAll(/npm run (?:--silent |-s )?([a-z:-]+)(?: -- ([^`#|]*))?/g),
    ]);
    expect(run.length).toBeGreaterThan(0);
    for (const [command, script = "", given = ""] of run) {
      expect(Object.keys(scripts), command).toContain(script);
      const program = programOf(script);
      if (program === undefined) continue;
      for (const [, option = ""] of given.matchAll(/(?:^| )--([a-z-]+)/g)) {
        expect(program, command).toMatch(new RegExp(`[\\s{]"?${option}"?: \\{`));
      }
    }
  });

  it("give settings that there are", () => {
    const given = cdkCommands.flatMap((words) => words.filter((_word, at) => words[at - 1] === "-c"));
    const names = given.map((setting) => setting.split("=")[0]);
    expect(names.filter((name) => !settingNames.includes(name ?? ""))).toEqual([]);
  });

  it("name what stacks have made by the stacks' names", () => {
    const named = matchesOf(text, /(das-(?:main|\$deployment)-[a-z]+)/g);
    const ids = named.map((name) => name.replace("$deployment", "main"));
    expect(ids.filter((id) => !stackIds.includes(id))).toEqual([]);
  });

  it("search the logs of functions that there are", () => {
    const named = matchesOf(text, /logs? of `([a-z-]+)`/g);
    expect(named.filter((name) => !functionNames.includes(name))).toEqual([]);
  });
});

it.each([
  ["log groups", "AWS::Logs::LogGroup", "LogGroupName"],
  ["rules", "AWS::Events::Rule", "Name"],
  ["alarms", "AWS::CloudWatch::Alarm", "AlarmName"],
])("finds %s by their stack's name, since CloudFormation names them after it", (_, type, property) => {
  const found = [templates.service, templates.operations].flatMap((template) => resourcesOf(template, type));
  expect(found.length).toBeGreaterThan(0);
  for (const { Properties } of found) expect(Properties).not.toHaveProperty([property]);
});

describe("the settings of DEPLOY.md", () => {
  const [, table = ""] = deployMd.split("## Settings");
  const rows = [...table.matchAll(/^\| (`[^|]+) \| ([^|]*) \|/gm)]
    .map(([, names = "", values = ""]) => ({
      names: matchesOf(names, /`([^`]+)`/g),
      defaults: values.replaceAll("`", "").split(", "),
    }))
    .filter(({ names }) => names.some((name) => settingNames.includes(name)));

  it("are those that there are", () => {
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...settingNames].sort());
  });

  it("have the defaults that they have", () => {
    const defaults: Readonly<Record<string, unknown>> = parseSettings({});
    for (const { names, defaults: written } of rows) {
      for (const [at, name] of names.entries()) {
        const given = written[at] ?? "none";
        const value = defaults[name];
        if (value === undefined || typeof value === "object") expect(given, name).toBe("none");
        else if (!name.startsWith("jwt") || typeof value === "number")
          expect(given, name).toBe(String(value));
      }
    }
  });
});
