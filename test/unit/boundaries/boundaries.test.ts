import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  cruise,
  type ICruiseOptions,
  type IFlattenedRuleSet,
  type IResolveOptions,
} from "dependency-cruiser";
import { afterEach, describe, expect, it } from "vitest";

type Files = Readonly<Record<string, string>>;

interface Config {
  readonly forbidden: NonNullable<IFlattenedRuleSet["forbidden"]>;
  readonly options: ICruiseOptions & { readonly enhancedResolveOptions: Partial<IResolveOptions> };
}

const configAddress = new URL("../../../.dependency-cruiser.mjs", import.meta.url).href;
const { default: config }: { default: Config } = await import(configAddress);

const folders: string[] = [];

const sound: Files = {
  "node_modules/zod/package.json": '{"name": "zod", "main": "index.js"}',
  "node_modules/zod/index.js": "",
  "node_modules/@aws-sdk/client-dynamodb/package.json":
    '{"name": "@aws-sdk/client-dynamodb", "main": "index.js"}',
  "node_modules/@aws-sdk/client-dynamodb/index.js": "",
  "node_modules/ajv/package.json": '{"name": "ajv", "main": "index.js"}',
  "node_modules/ajv/index.js": "",
  "shared/schema/checker.ts": 'import { a } from "ajv";\nexport const checker = a;\n',
  "node_modules/croner/package.json": '{"name": "croner", "main": "index.js"}',
  "node_modules/croner/index.js": "",
  "shared/domain/schedule/occurrences.ts": 'import { a } from "croner";\nexport const next = a;\n',
  "node_modules/ai/package.json": '{"name": "ai", "main": "index.js"}',
  "node_modules/ai/index.js": "",
  "node_modules/@ai-sdk/openai/package.json": '{"name": "@ai-sdk/openai", "main": "index.js"}',
  "node_modules/@ai-sdk/openai/index.js": "",
  "node_modules/@smithy/util/package.json": '{"name": "@smithy/util", "main": "index.js"}',
  "node_modules/@smithy/util/index.js": "",
  "package.json":
    '{"dependencies": {"zod": "1", "ajv": "1", "croner": "1", "ai": "1", "@ai-sdk/openai": "1", "@aws-sdk/client-dynamodb": "1", "@smithy/util": "1"}}',
  "shared/domain/machine.ts": 'import type { Page } from "./page.ts";\nexport type Machine = Page;\n',
  "shared/domain/page.ts": "export type Page = string;\n",
  "shared/domain/run.ts":
    'import { statuses } from "../vocabulary/statuses.ts";\nexport const run = statuses;\n',
  "shared/vocabulary/statuses.ts": "export const statuses = 1;\n",
  "shared/contract/machine.ts": 'import { z } from "zod";\nexport const Machine = z;\n',
  "shared/contract/run.ts":
    'import { statuses } from "../vocabulary/statuses.ts";\nexport const Run = statuses;\n',
  "shared/http/app.ts":
    'import type { Machine } from "../domain/machine.ts";\nexport const app = (m: Machine) => m;\n',
  "shared/storage/store.ts":
    'import { a } from "@aws-sdk/client-dynamodb";\nimport type { Machine } from "../domain/machine.ts";\nexport const store = (m: Machine) => a;\n',
  "shared/storage/table/keys.ts": "export const machineKey = 1;\n",
  "shared/storage/table/key-patterns.ts": "export const patterns = 1;\n",
  "infra/grants.ts":
    'import { patterns } from "../shared/storage/table/key-patterns.ts";\nexport const grants = patterns;\n',
  "shared/aws/client.ts": 'import "@aws-sdk/client-dynamodb";\nexport const client = 1;\n',
  "shared/runtime/clients.ts": 'import { client } from "../aws/client.ts";\nexport const clients = client;\n',
  "functions/machines/app.ts":
    'import { app } from "../../shared/http/app.ts";\nexport const machines = app;\n',
  "functions/machines/index.ts":
    'import { store } from "../../shared/storage/store.ts";\nimport { clients } from "../../shared/runtime/clients.ts";\nimport { machines } from "./app.ts";\nexport const handler = [machines, store, clients];\n',
  "functions/pools/app.ts": 'import { app } from "../../shared/http/app.ts";\nexport const pools = app;\n',
  "functions/console/page/place.ts":
    'import { Machine } from "../../../shared/contract/machine.ts";\nexport const place = Machine;\n',
  "functions/console/page/main.tsx": "export const main = <p>{1}</p>;\n",
  "infra/filters.ts":
    'import { statuses } from "../shared/vocabulary/statuses.ts";\nexport const filters = statuses;\n',
  "infra/routes.ts":
    'import { Machine } from "../shared/contract/machine.ts";\nexport const routes = Machine;\n',
  "infra/driver/pictures/png.ts": "export const png = 1;\n",
  "infra/driver/pictures/scale-frame.ts": "export const a = 1;\n",
  "infra/driver/pictures/picture-worker.ts": 'import "./png.ts";\nimport "./scale-frame.ts";\n',
  "infra/cli/operations/described-operations.ts":
    'import { z } from "zod";\nimport { Machine } from "../../../shared/contract/machine.ts";\nexport const described = [z, Machine];\n',
  "infra/cli/show.ts":
    'import type { Machine } from "../../shared/contract/machine.ts";\nexport type Shown = typeof Machine;\n',
  "infra/keys/main.ts":
    'import { store } from "../../shared/storage/store.ts";\nexport const main = store;\n',
  "test/support/stack/faults.ts": "export const injectFault = 1;\n",
  "test/e2e/alone/crash.test.ts": 'import "../../support/stack/faults.ts";\n',
  "test/e2e/scroll.test.ts":
    'import { Machine } from "../../shared/contract/machine.ts";\nexport const m = Machine;\n',
};

const planted: Readonly<Record<string, readonly Files[]>> = {
  "no-circular": [
    {
      "shared/domain/page.ts": 'import type { Machine } from "./machine.ts";\nexport type Page = Machine;\n',
    },
  ],
  "no-unresolvable": [
    { "shared/http/new.ts": 'import "./missing.ts";\n' },
    { "infra/new.ts": 'import "unknown";\n' },
  ],
  "vocabulary-imports-nothing": [
    { "shared/vocabulary/new.ts": 'import "./statuses.ts";\n' },
    { "shared/vocabulary/new.ts": 'import "zod";\n' },
    { "shared/vocabulary/new.ts": 'import "node:crypto";\n' },
    {
      "shared/vocabulary/new.ts": 'import type { Page } from "../domain/page.ts";\nexport type P = Page;\n',
    },
  ],
  "domain-imports-vocabulary-only": [
    { "shared/domain/new.ts": 'import "node:crypto";\n' },
    { "shared/domain/new.ts": 'import "zod";\n' },
    {
      "shared/domain/new.ts":
        'import type { store } from "../storage/store.ts";\nexport type S = typeof store;\n',
    },
    { "shared/domain/new.ts": 'import "../contract/machine.ts";\n' },
  ],
  "contract-imports-zod-and-vocabulary-only": [
    {
      "shared/contract/new.ts":
        'import type { Machine } from "../domain/machine.ts";\nexport type M = Machine;\n',
    },
    { "shared/contract/new.ts": 'import "node:fs";\n' },
  ],
  "client-imports-contract-only": [
    { "shared/client/new.ts": 'import { app } from "../http/app.ts";\nexport const client = app;\n' },
    { "shared/client/new.ts": 'import "node:fs";\n' },
  ],
  "http-imports-no-adapter": [
    { "shared/http/new.ts": 'import "../storage/store.ts";\n' },
    { "shared/http/new.ts": 'import "../runtime/clients.ts";\n' },
    { "shared/http/new.ts": 'import "@aws-sdk/client-dynamodb";\n' },
  ],
  "no-circular-storage-folders": [
    {
      "shared/storage/run/a.ts": 'import "../pool/b.ts";\n',
      "shared/storage/pool/b.ts": "export const b = 1;\n",
      "shared/storage/pool/c.ts": 'import "../run/d.ts";\n',
      "shared/storage/run/d.ts": "export const d = 1;\n",
    },
  ],
  "no-circular-domain-folders": [
    {
      "shared/domain/run/a.ts": 'import "../pool/b.ts";\n',
      "shared/domain/pool/b.ts": "export const b = 1;\n",
      "shared/domain/pool/c.ts": 'import "../run/d.ts";\n',
      "shared/domain/run/d.ts": "export const d = 1;\n",
    },
  ],
  "no-circular-execution-folders": [
    {
      "shared/domain/execution/replay/a.ts": 'import "../model/b.ts";\n',
      "shared/domain/execution/model/b.ts": "export const b = 1;\n",
      "shared/domain/execution/model/c.ts": 'import "../replay/d.ts";\n',
      "shared/domain/execution/replay/d.ts": "export const d = 1;\n",
    },
  ],
  "adapters-import-no-transport": [
    { "shared/storage/new.ts": 'import "../http/app.ts";\n' },
    { "shared/files/new.ts": 'import "../runtime/clients.ts";\n' },
    { "shared/secrets/new.ts": 'import "../../functions/machines/app.ts";\n' },
    { "shared/log/new.ts": 'import "../http/app.ts";\n' },
  ],
  "sdk-in-adapters-only": [
    { "functions/machines/index.ts": 'import "@aws-sdk/client-dynamodb";\n' },
    { "functions/pools/new.ts": 'import "@smithy/util";\n' },
    { "shared/log/new.ts": 'import "@aws-sdk/client-dynamodb";\n' },
  ],
  "ajv-in-its-adapter-only": [
    { "shared/http/new.ts": 'import "ajv";\n' },
    { "functions/machines/index.ts": 'import "ajv";\n' },
  ],
  "occurrences-import-croner-only": [
    { "shared/domain/schedule/occurrences.ts": 'import "../../storage/store.ts";\n' },
    { "shared/domain/schedule/occurrences.ts": 'import "ajv";\n' },
  ],
  "croner-in-occurrences-only": [
    { "shared/present/new.ts": 'import "croner";\n' },
    { "functions/runs/new.ts": 'import "croner";\n' },
  ],
  "models-packages-in-their-adapter-only": [
    { "shared/execution/new.ts": 'import "ai";\n' },
    { "functions/executor/index.ts": 'import "@ai-sdk/openai";\n' },
  ],
  "functions-import-no-adapter-but-in-index": [
    { "functions/machines/app.ts": 'import "../../shared/schema/checker.ts";\n' },
    { "functions/machines/new.ts": 'import "../../shared/storage/store.ts";\n' },
    { "functions/machines/app.ts": 'import "../../shared/runtime/clients.ts";\n' },
  ],
  "groups-do-not-import-each-other": [
    { "functions/machines/new.ts": 'import "../pools/app.ts";\n' },
    { "functions/pools/index.ts": 'import "../machines/app.ts";\n' },
  ],
  "console-page-imports-client-and-contract-only": [
    { "functions/console/page/new.ts": 'import "node:fs";\n' },
    { "functions/console/page/new.ts": 'import "../../../shared/http/app.ts";\n' },
    { "functions/console/page/new.ts": 'import "../../machines/app.ts";\n' },
  ],
  "page-in-browsers-only": [{ "functions/console/app.ts": 'import "./page/place.ts";\n' }],
  "infra-imports-contract-only": [
    { "infra/new.ts": 'import "../shared/storage/store.ts";\n' },
    { "infra/new.ts": 'import "../functions/machines/app.ts";\n' },
    { "infra/new.ts": 'import "../shared/storage/table/keys.ts";\n' },
    {
      "infra/local/new.ts":
        'import type { Machine } from "../../shared/domain/machine.ts";\nexport type M = Machine;\n',
    },
  ],
  "smoke-imports-client-only": [
    { "infra/smoke/new.ts": 'import "../../shared/storage/store.ts";\n' },
    { "infra/smoke/new.ts": 'import "../../functions/machines/app.ts";\n' },
  ],
  "cli-imports-client-and-contract-only": [
    { "infra/cli/new.ts": 'import "../../shared/http/app.ts";\n' },
    { "infra/cli/new.ts": 'import "../filters.ts";\n' },
    { "infra/cli/new.ts": 'import "../../functions/machines/app.ts";\n' },
  ],
  "published-client-imports-client-only": [
    { "infra/clients/typescript/new.ts": 'import "../../bundle/schemas/zod.ts";\n' },
    { "infra/clients/typescript/new.ts": 'import "../../../shared/http/app.ts";\n' },
    { "infra/clients/typescript/new.ts": 'import "node:fs";\n' },
  ],
  "key-patterns-import-nothing": [
    { "shared/storage/table/key-patterns.ts": 'import "./keys.ts";\n' },
    { "shared/storage/table/key-patterns.ts": 'import "node:crypto";\n' },
  ],
  "write-png-imports-zlib-only": [
    {
      "shared/pictures/write-png.ts":
        'import type { Page } from "../domain/page.ts";\nexport type P = Page;\n',
    },
  ],
  "pictures-in-their-thread-only": [
    { "infra/driver/new.ts": 'import "./pictures/png.ts";\n' },
    {
      "infra/driver/pictures/picture-encoder.ts":
        'import { a } from "./scale-frame.ts";\nexport const encoder = a;\n',
    },
  ],
  "demo-desk-in-the-local-stack-only": [
    { "infra/demo-desk/desk.ts": "", "infra/driver/new.ts": 'import "../demo-desk/desk.ts";\n' },
  ],
  "lambda-does-not-import-infra": [
    { "functions/machines/new.ts": 'import "../../infra/routes.ts";\n' },
    { "shared/http/new.ts": 'import "../../test/e2e/scroll.test.ts";\n' },
  ],
  "e2e-uses-public-addresses-only": [
    { "test/e2e/new.test.ts": 'import "../../functions/machines/app.ts";\n' },
    { "test/e2e/new.test.ts": 'import "../../shared/domain/machine.ts";\n' },
  ],
  "e2e-steers-the-stack-alone": [{ "test/e2e/new.test.ts": 'import "../support/stack/faults.ts";\n' }],
};

async function violationsIn(files: Files): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "boundaries-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { options, forbidden } = config;
  const { output } = await cruise(
    ["infra", "functions", "shared", "test"],
    { ...options, baseDir: folder, validate: true, ruleSet: { forbidden } },
    options.enhancedResolveOptions,
  );
  if (typeof output === "string") throw new Error(output);
  return output.summary.violations.map((violation) => violation.rule.name);
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("the direction of imports", () => {
  it("is kept by a project that keeps it", async () => {
    expect(await violationsIn(sound)).toEqual([]);
  });

  it("is tested rule by rule", () => {
    expect(Object.keys(planted).sort()).toEqual(config.forbidden.map((rule) => rule.name).sort());
  });

  const cases = Object.entries(planted).flatMap(([rule, plants]) =>
    plants.map((files) => ({ rule, files, what: Object.values(files).join().split("\n")[0] })),
  );
  it.each(cases)("$rule is violated by $what", async ({ rule, files }) => {
    expect(await violationsIn({ ...sound, ...files })).toContain(rule);
  });
});
