import { readdirSync } from "node:fs";
import { it } from "vitest";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { checkMembershipModel } from "./membership-model.suite.ts";
import { checkRunModel } from "./run-model.suite.ts";
import { taggingSuite } from "./tagging.suite.ts";

const apart = [
  "file-store",
  "match-store",
  "membership-model",
  "run-model",
  "screen",
  "secret-store",
  "table-stores",
  "tagging",
];
const ofRuns = [
  ...[
    "attachment-store",
    "execution-store",
    "input-source-store",
    "machine-reservation",
    "run-list",
    "run-metadata",
  ],
  ...["run-queue", "run-store", "secret-owner-store", "waiting-store", "waiting-view"],
];

type Suite = (create: CreateTableStores) => void;

const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".suite.ts"))
  .map((file) => file.slice(0, -".suite.ts".length))
  .filter((name) => !apart.includes(name));
const suites = await Promise.all(names.map(async (name) => ({ name, suite: await suiteOf(name) })));

async function suiteOf(name: string): Promise<Suite> {
  const exported = Object.values<Suite>(await import(`./${name}.suite.ts`));
  const suite = exported.find((each) => typeof each === "function" && each.name.endsWith("Suite"));
  if (suite === undefined) throw new Error(`${name}.suite.ts has no suite`);
  return suite;
}

export interface TableStoresSuiteOptions {
  readonly sequences: number;
}

export function runStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  for (const { name, suite } of suites) if (ofRuns.includes(name)) suite(create);

  it("leaves the totals, states and uses of secrets of runs as in a model, after any sequence of changes", async () => {
    await checkRunModel(create, sequences);
  });
}

export function otherStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  for (const { name, suite } of suites) if (!ofRuns.includes(name)) suite(create);
  taggingSuite(create, { runs: sequences });

  it("leaves members, their number and what machines name the same, after any sequence of changes", async () => {
    await checkMembershipModel(create, sequences);
  });
}
