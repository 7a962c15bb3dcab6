import { readdirSync } from "node:fs";
import { it } from "vitest";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { checkMembershipModel } from "./membership-model.suite.ts";
import { checkRunModel } from "./run-model.suite.ts";
import { taggingSuite } from "./tagging.suite.ts";

/** Suites of ports that lie outside of the table, or that are run in a way of their own. */
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
  ...["attachment-store", "execution-store", "input-source-store", "machine-reservation", "run-list"],
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
  /** Number of sequences of changes that each model is tried with. */
  readonly sequences: number;
}

/** The behaviour of the adapters for runs and waiting, on the model of DynamoDB or on DynamoDB Local. */
export function runStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  for (const { name, suite } of suites) if (ofRuns.includes(name)) suite(create);

  it("leaves the totals, states and uses of secrets of runs as in a model, after any sequence of changes", async () => {
    await checkRunModel(create, sequences);
  });
}

/** The behaviour of all other adapters. */
export function otherStoresSuite(create: CreateTableStores, { sequences }: TableStoresSuiteOptions): void {
  for (const { name, suite } of suites) if (!ofRuns.includes(name)) suite(create);
  taggingSuite(create, { runs: sequences });

  it("leaves members, their number and what machines name the same, after any sequence of changes", async () => {
    await checkMembershipModel(create, sequences);
  });
}
