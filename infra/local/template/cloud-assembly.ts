import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  asList,
  asObject,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  TemplateError,
} from "./json.ts";

/** One stack of a cloud assembly, as `cdk synth` left it. */
export type AssemblyStack = {
  readonly name: string;
  /** `unknown-region` where the stack leaves it to the deployment. */
  readonly region: string;
  readonly account: string;
  readonly template: JsonObject;
  /** Object key in the assets bucket -> absolute path of the file or folder that was to be uploaded. */
  readonly assets: ReadonlyMap<string, string>;
  /** Folder that relative asset paths start from. */
  readonly folder: string;
};

function readJson(file: string): JsonObject {
  const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(parsed)) throw new TemplateError(`${file} is not a JSON object`);
  return parsed;
}

/** `aws://account/region`. */
function readEnvironment(value: Json | undefined): { account: string; region: string } {
  const [, account, region] = /^aws:\/\/([^/]+)\/(.+)$/.exec(optionalString(value) ?? "") ?? [];
  return { account: account ?? "unknown-account", region: region ?? "unknown-region" };
}

/** The file assets of a `*.assets.json` manifest by the object key they would get. */
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

type Artifact = { readonly id: string; readonly type: string; readonly fields: JsonObject };

/** Depth first along the dependencies, in the order of the manifest otherwise. */
function inDependencyOrder(artifacts: readonly Artifact[]): readonly Artifact[] {
  const byId = new Map(artifacts.map((artifact) => [artifact.id, artifact]));
  const ordered = new Set<Artifact>();
  const entered = new Set<string>();
  const visit = (artifact: Artifact): void => {
    if (entered.has(artifact.id)) return;
    entered.add(artifact.id);
    for (const dependency of asList(artifact.fields.dependencies)) {
      const found = typeof dependency === "string" ? byId.get(dependency) : undefined;
      if (found !== undefined) visit(found);
    }
    ordered.add(artifact);
  };
  for (const artifact of artifacts) visit(artifact);
  return [...ordered];
}

/**
 * Every stack of a synthesized app, those of stages included, each after the stacks it depends on.
 *
 * @param folder the assembly (`cdk.out`), absolute.
 */
export function readCloudAssembly(folder: string): readonly AssemblyStack[] {
  const artifacts = Object.entries(asObject(readJson(join(folder, "manifest.json")).artifacts)).map(
    ([id, fields]): Artifact => ({
      id,
      type: optionalString(asObject(fields).type) ?? "",
      fields: asObject(fields),
    }),
  );
  const assets = new Map<string, string>();
  for (const artifact of artifacts) {
    if (artifact.type !== "cdk:asset-manifest") continue;
    const file = optionalString(asObject(artifact.fields.properties).file);
    if (file === undefined) continue;
    for (const [key, path] of readAssets(folder, join(folder, file))) assets.set(key, path);
  }
  return inDependencyOrder(artifacts).flatMap((artifact): readonly AssemblyStack[] => {
    const properties = asObject(artifact.fields.properties);
    if (artifact.type === "cdk:cloud-assembly") {
      return readCloudAssembly(join(folder, optionalString(properties.directoryName) ?? ""));
    }
    const file = optionalString(properties.templateFile);
    if (artifact.type !== "aws:cloudformation:stack" || file === undefined) return [];
    return [
      {
        ...readEnvironment(artifact.fields.environment),
        name: optionalString(properties.stackName) ?? artifact.id,
        template: readJson(join(folder, file)),
        assets,
        folder,
      },
    ];
  });
}
