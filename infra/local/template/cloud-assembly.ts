import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, isObject, type Json, type JsonObject, optionalString, TemplateError } from "./json.ts";

export type AssemblyStack = {
  readonly name: string;
  /** The Region is `unknown-region` where the stack leaves it to the deployment. */
  readonly region: string;
  readonly account: string;
  readonly template: JsonObject;
  readonly assets: ReadonlyMap<string, string>;
};

function readJson(file: string): JsonObject {
  const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(parsed)) throw new TemplateError(`${file} is not a JSON object`);
  return parsed;
}

function readEnvironment(value: Json | undefined): { account: string; region: string } {
  const [, account, region] = /^aws:\/\/([^/]+)\/(.+)$/.exec(optionalString(value) ?? "") ?? [];
  return { account: account ?? "unknown-account", region: region ?? "unknown-region" };
}

function readAssets(folder: string, manifestFile: string): Map<string, string> {
  const assets = new Map<string, string>();
  for (const asset of Object.values(asObject(readJson(manifestFile).files))) {
    const path = optionalString(asObject(asObject(asset).source).path);
    if (path === undefined) continue;
    for (const destination of Object.values(asObject(asObject(asset).destinations))) {
      const key = optionalString(asObject(destination).objectKey);
      if (key !== undefined) assets.set(key, join(folder, path));
    }
  }
  return assets;
}

export function readCloudAssembly(folder: string): readonly AssemblyStack[] {
  const artifacts = Object.entries(asObject(readJson(join(folder, "manifest.json")).artifacts)).map(
    ([id, fields]) => ({
      id,
      type: optionalString(asObject(fields).type) ?? "",
      environment: asObject(fields).environment,
      properties: asObject(asObject(fields).properties),
    }),
  );
  const assets = new Map<string, string>();
  for (const { type, properties } of artifacts) {
    const file = optionalString(properties.file);
    if (type !== "cdk:asset-manifest" || file === undefined) continue;
    for (const [key, path] of readAssets(folder, join(folder, file))) assets.set(key, path);
  }
  return artifacts.flatMap(({ id, type, environment, properties }): readonly AssemblyStack[] => {
    const file = optionalString(properties.templateFile);
    if (type !== "aws:cloudformation:stack" || file === undefined) return [];
    const name = optionalString(properties.stackName) ?? id;
    return [{ ...readEnvironment(environment), name, template: readJson(join(folder, file)), assets }];
  });
}
